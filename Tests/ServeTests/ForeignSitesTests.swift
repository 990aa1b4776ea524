import Foundation
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Media for browsers")
struct ForeignSitesTests {
    @Test(
        "only what a browser can do nothing with but play leaves the sandbox",
        arguments: [
            ("video/mp4", true), ("Video/MP4; codecs=avc1", true), ("audio/mpeg ", true),
            ("application/ogg", true), ("video/x-matroska", true), ("text/html", false),
            ("image/svg+xml", false), ("image/png", false), ("application/pdf", false),
            ("text/xml", false), ("audio/x+xml", false), ("video/mp4, text/html", false),
            ("video/", false), ("", false), ("application/octet-stream", false),
            ("text/html; video/mp4", false), ("video/mp4\r\nx", false), ("xvideo/mp4", false),
        ])
    func sandbox(_ type: String, _ isPlayed: Bool) {
        let fields = ForeignContent.fields(type)
        #expect(fields.contains { $0 == ("X-Content-Type-Options", "nosniff") })
        #expect(fields.contains { $0.0 == "Content-Security-Policy" } != isPlayed)
    }

    @Test("what the proxy serves and nobody knows is kept in a sandbox")
    func page() throws {
        let trial = try MediaTrial()
        trial.origin.serve(
            "/a", OriginObject(.synthetic(length: 100), type: "application/octet-stream"))
        let reply = try trial.curl(try trial.proxied(trial.origin.url("/a")))
        #expect(reply.status == 200 && reply.fields["content-security-policy"] == "sandbox")
    }

    @Test(
        "every site may read what a signed address leads to, with ranges, and why there is nothing")
    func everySite() throws {
        let trial = try MediaTrial()
        let (url, bytes) = try trial.object(length: 10_000)
        let origin = ["-H", "Origin: https://player.example"]
        let part = try trial.curl(url, origin[0], origin[1], "-r", "5-9")
        #expect(part.status == 206 && part.body == Array(bytes[5..<10]))
        let gone = try trial.curl("\(trial.base)/p/nothing", origin[0], origin[1])
        #expect(gone.status >= 400)
        for reply in [part, gone] {
            #expect(reply.fields["access-control-allow-origin"] == "*")
            #expect(reply.fields["access-control-allow-credentials"] == nil)
            let shown = try #require(reply.fields["access-control-expose-headers"])
            for name in ["Content-Range", "Accept-Ranges", "Content-Length", "ETag"] {
                #expect(shown.contains(name))
            }
        }
        trial.origin.serve(
            "/list.m3u8", OriginObject(.bytes(Array("#EXTM3U\n#EXT-X-ENDLIST\n".utf8))))
        let list = try trial.curl(try trial.proxied(trial.origin.url("/list.m3u8")))
        #expect(list.status == 200 && list.fields["access-control-allow-origin"] == "*")
    }

    @Test("a browser that asks first may send ranges, and the fields that the address passes on")
    func preflight() throws {
        let trial = try MediaTrial()
        trial.origin.serve("/a.mp4", OriginObject(.synthetic(length: 100)))
        let url = try trial.proxied(trial.origin.url("/a.mp4"), headers: ["Authorization"])
        for (address, passes) in [(url, true), ("\(trial.base)/p/none", false)] {
            let reply = try trial.curl(
                address, "-X", "OPTIONS", "-H", "Origin: https://player.example",
                "-H", "Access-Control-Request-Method: GET",
                "-H", "Access-Control-Request-Headers: range")
            #expect(reply.status == 204 && reply.fields["access-control-allow-origin"] == "*")
            #expect(reply.fields["access-control-allow-methods"]?.hasPrefix("GET, HEAD") == true)
            let fields = try #require(reply.fields["access-control-allow-headers"]).lowercased()
            #expect(fields.contains("range") && fields.contains("authorization") == passes)
        }
    }

    @Test("nothing that a session or a token opens is shown to other sites")
    func ownSite() throws {
        let trial = try MediaTrial()
        try trial.result(Array(0..<100), as: "film")
        for path in ["/media/film.mp4", "/v1/proxy", "/media/none.mp4"] {
            for method in ["GET", "OPTIONS"] {
                let reply = try trial.curl(
                    "\(trial.base)\(path)", "-X", method, "-H", "Origin: https://player.example",
                    "-H", "Access-Control-Request-Method: GET")
                #expect(
                    reply.status > 0
                        && reply.fields.keys.allSatisfy { !$0.hasPrefix("access-control") })
            }
        }
    }
}
