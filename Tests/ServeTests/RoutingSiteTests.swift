import TakeupHTTP
import Testing

@testable import TakeupServe

@Suite("Requests of other sites")
struct RoutingSiteTests {
    private typealias Server = RoutingAccessTests.Server

    @Test(
        "under another name are misdirected",
        arguments: [
            ("localhost", 200), ("LOCALHOST:8080", 200), ("127.0.0.1", 200), ("127.1.2.3:1", 200),
            ("[::1]:80", 200), ("localhost.", 200), ("m.example", 200), ("m.example:8443", 200),
            ("extra", 200), ("evil.example", 421), ("localhost.evil.example", 421),
            ("127.0.0.1.evil.example", 421), ("192.0.2.1", 421), ("", 421), ("127.evil", 421),
            ("m.example.evil", 421),
        ])
    func hosts(host: String, status: Int) throws {
        let server = try Server(
            AccessRules(
                listeners: [.tcp(host: "127.0.0.1", port: 80)],
                publicURL: "https://m.example:8443/takeup", allowedHosts: ["extra"]))
        #expect(server.ask("GET", "/open", [("Host", host)]).status == status)
    }

    @Test("that name the listener's address are its own")
    func listeners() {
        func permits(_ listener: String, _ host: String) -> Bool {
            AccessRules(listeners: [.tcp(host: listener, port: 80)]).permits(HostName(host))
        }
        #expect(permits("192.0.2.1", "192.0.2.1:80") && !permits("192.0.2.1", "192.0.2.2"))
        #expect(permits("0.0.0.0", "192.0.2.2") && !permits("0.0.0.0", "evil.example"))
        #expect(permits("::", "[2001:db8::1]:80") && !permits("::", "a.b"))
        for host in ["[::1].evil.example", "[::1]80", "127.0.0.1:x", "127.0.0.1:80@evil.example"] {
            #expect(!permits("::", host) && !permits("127.0.0.1", host), "\(host)")
        }
    }

    @Test(
        "cannot change anything",
        arguments: [
            ([], 200), ([("Origin", "http://localhost:80")], 200),
            ([("Origin", "https://m.example")], 200), ([("Origin", "http://localhost:81")], 403),
            ([("Origin", "null")], 403), ([("Origin", "http://evil.example")], 403),
            ([("Sec-Fetch-Site", "same-origin")], 200), ([("Sec-Fetch-Site", "none")], 200),
            ([("Sec-Fetch-Site", "cross-site")], 403), ([("Sec-Fetch-Site", "same-site")], 403),
            ([("Origin", "http://localhost:80"), ("Sec-Fetch-Site", "cross-site")], 403),
        ] as [([(String, String)], Int)])
    func origins(fields: [(String, String)], status: Int) throws {
        let server = try Server(
            AccessRules(
                listeners: [.tcp(host: "127.0.0.1", port: 80)], publicURL: "https://m.example/x"))
        #expect(server.ask("DELETE", "/admin", fields).status == status)
        // Reading is what the browser's own rules are for.
        #expect(server.ask("GET", "/read", fields).status == 200)
    }

    @Test(
        "need JSON for what is JSON, which a form cannot send",
        arguments: [
            ("application/json", 200), ("Application/JSON; charset=utf-8", 200),
            ("text/plain", 415), ("application/x-www-form-urlencoded", 415),
            ("multipart/form-data; boundary=a", 415), ("application/jsonp", 415), ("", 415),
        ])
    func contentTypes(type: String, status: Int) throws {
        let server = try Server(AccessRules(listeners: [.tcp(host: "127.0.0.1", port: 80)]))
        let fields = [("Content-Length", "2")] + (type.isEmpty ? [] : [("Content-Type", type)])
        #expect(server.ask("POST", "/submit", fields).status == status)
        #expect(server.ask("POST", "/bytes", fields).status == 200)
        #expect(server.ask("POST", "/submit", [("Content-Type", type)]).status == 200)
    }

    @Test("that nothing answers say what is possible")
    func refusals() throws {
        let server = try Server(AccessRules(listeners: [.tcp(host: "127.0.0.1", port: 80)]))
        #expect(server.ask("GET", "/none").status == 404)
        #expect(server.ask("BREW", "/none").status == 501)
        #expect(server.ask("CONNECT", "/none").status == 404)
        #expect(server.ask("CONNECT", "/submit").status == 405)
        let wrong = server.ask("PUT", "/submit")
        #expect(wrong.status == 405 && wrong.fields["Allow"] == "POST, OPTIONS")
        let options = server.ask("OPTIONS", "/read")
        #expect(options.status == 204 && options.fields["Allow"] == "GET, HEAD, OPTIONS")
        #expect(server.ask("GET", "/open?a=%G1").status == 400)
        #expect(wrong.fields["Content-Type"] == "application/problem+json")
        #expect(options.fields["Access-Control-Allow-Origin"] == nil)
    }
}
