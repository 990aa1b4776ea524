import Testing

@testable import TakeupServe

@Suite("Origins of pages")
struct WebOriginTests {
    @Test(
        "a page is the server's own by scheme, host and port",
        arguments: [
            ("https://m.example", "m.example", true), ("https://m.example:443", "m.example", true),
            ("HTTPS://M.Example", "m.example:443", true),
            ("https://m.example", "localhost:1", true),
            ("http://m.example", "m.example", false), ("http://m.example:443", "m.example", false),
            ("http://m.example:80", "m.example:80", false),
            ("https://m.example:80", "m.example", false),
            ("https://m.example:8443", "m.example", false),
            ("https://m.example.evil", "m.example", false),
            ("http://m.example:8080", "m.example:8080", true),
            ("http://m.example:8080", "m.example:8081", false),
            ("http://localhost", "localhost:80", true), ("http://localhost:80", "localhost", true),
            ("https://localhost", "localhost:443", true),
            ("http://localhost:81", "localhost", false),
            ("http://[::1]:8080", "[::1]:8080", true), ("http://[::1]", "[::1]:80", true),
            ("http://[::1]:8080", "[::1]", false), ("null", "m.example", false),
            ("", "m.example", false), ("ftp://m.example", "m.example", false),
            ("https://m.example:x", "m.example", false),
            ("https://m.example\u{301}", "m.example", false),
            ("https://evil/\u{301}@m.example", "m.example", false),
        ])
    func own(origin: String, host: String, isOwn: Bool) {
        for url in ["https://m.example/takeup", "https://m.example:443"] {
            #expect(WebOrigin(origin)?.isOwn(host: host, publicURL: url) ?? false == isOwn)
        }
    }

    @Test("without a public address the host of the request counts, under either scheme")
    func noPublicURL() {
        for scheme in ["http", "https"] {
            let origin = WebOrigin("\(scheme)://m.example")
            #expect(origin?.isOwn(host: "m.example", publicURL: nil) == true)
            #expect(origin?.isOwn(host: "other", publicURL: nil) == false)
            #expect(origin?.isOwn(host: nil, publicURL: nil) == false)
        }
    }

    @Test("a public address with a port of its own counts with it")
    func publicPort() {
        func isOwn(_ origin: String, _ host: String) -> Bool {
            WebOrigin(origin)?.isOwn(host: host, publicURL: "https://m.example:8443/x") ?? false
        }
        #expect(isOwn("https://m.example:8443", "m.example:8443"))
        #expect(!isOwn("http://m.example:8443", "m.example:8443"))
        #expect(!isOwn("https://m.example", "m.example:8443"))
    }
}
