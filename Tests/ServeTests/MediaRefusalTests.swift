import Foundation
import TakeupCurl
import TakeupFetch
import TakeupLanes
import TakeupModel
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

@Suite("What the proxy refuses")
struct MediaRefusalTests {
    @Test(
        "a request for an address is checked",
        arguments: [
            (#"{}"#, 400, "missingMember"), (#"{"url": 1}"#, 400, "malformedBody"),
            (#"{"url": "https://a.example/", "header": []}"#, 400, "malformedBody"),
            (#"{"url": "https://a.example/", "headers": "A"}"#, 400, "malformedBody"),
            (#"{"url": "https://a.example/", "headers": ["Range"]}"#, 400, "headerNotPassed"),
            (#"{"url": "https://a.example/", "expires": "soon"}"#, 400, "invalidDuration"),
            (#"{"url": "https://a.example/", "url": "https://b.example/"}"#, 400, "malformedBody"),
            (#"["#, 400, "malformedBody"),
            (#"{"url": "ftp://a.example/x"}"#, 400, "invalidAddress"),
            (#"{"url": "https://u:p@a.example/x"}"#, 400, "invalidAddress"),
            (#"{"url": "http://10.0.0.1/x"}"#, 403, "addressDenied"),
            (#"{"url": "http://169.254.169.254/latest"}"#, 403, "addressDenied"),
            (#"{"url": "http://2852039166/"}"#, 403, "addressDenied"),
            (#"{"url": "file:///etc/passwd"}"#, 400, "invalidAddress"),
            (#"{"url": "x"}"#, 400, "invalidAddress"),
        ])
    func requests(_ json: String, _ status: Int, _ code: String) throws {
        let trial = try MediaTrial()
        let reply = try trial.sign(json)
        #expect(reply.status == status && reply.code == code, "\(json): \(reply.text)")
        #expect(reply.fields["content-type"] == "application/problem+json")
        #expect(!reply.text.contains("u:p"))
    }

    @Test("nothing is fetched for an address that is forged, has expired, or is not permitted now")
    func addresses() throws {
        var settings = ServeSettings()
        settings.publicURL = "https://media.example.com/"
        let trial = try MediaTrial(settings: settings)
        trial.origin.serve("/a.mp4", OriginObject(.synthetic(length: 1000)))
        let url = trial.origin.url("/a.mp4")
        let text = try trial.proxied(url)
        #expect(text.hasPrefix("https://media.example.com/p/") && text.hasSuffix("/a.mp4"))
        let key = try ProxyKey.open(home: trial.tools.places.home)
        func code(_ path: String) throws -> String? {
            let reply = try trial.curl(trial.base + path)
            #expect(reply.status == 403)
            return reply.code
        }
        let forged = ProxyAddress(url: url).path(ProxyKey(bytes: Array(0..<32)))
        #expect(try code(forged) == "signatureInvalid")
        #expect(try code("/p/x") == "signatureInvalid")
        let old = ProxyAddress(url: url, expiresAt: 1000).path(key)
        #expect(try code(old) == "addressExpired")
        let denied = ProxyAddress(url: "http://10.0.0.1/a.mp4").path(key)
        #expect(try code(denied) == "addressDenied")
        #expect(trial.origin.totals.connections == 0)
        #expect(trial.media.figures.value.count(.proxy, .error) == 4)
        let good = try trial.curl(trial.base + ProxyAddress(url: url).path(key))
        #expect(good.status == 200 && good.body.count == 1000)
    }

    @Test("what a playlist names beside itself is not the playlist; its own name may be left out")
    func otherNames() throws {
        let trial = try MediaTrial()
        let text = """
            #EXTM3U
            #EXT-X-DEFINE:IMPORT="v"
            #EXT-X-TARGETDURATION:4
            #EXTINF:4,
            {$v}/seg.ts
            #EXT-X-ENDLIST
            """
        trial.origin.serve("/v/l.m3u8", OriginObject(.bytes(Array(text.utf8)), type: "text/plain"))
        let url = try trial.proxied(trial.origin.url("/v/l.m3u8"))
        let folder = url.prefix(url.count - "/l.m3u8".count)
        for good in [url, String(folder)] {
            let reply = try trial.curl(good)
            #expect(reply.status == 200 && reply.text.contains("{$v}/seg.ts"), "\(reply.text)")
        }
        for name in ["seg.ts", "value/seg.ts", "l.m3u8/seg.ts", "L.m3u8", "", "l.m3u8/"] {
            let reply = try trial.curl("\(folder)/\(name)")
            #expect(reply.status == 404 && reply.code == "notFound", "\(name): \(reply.text)")
        }
    }

    @Test("an address that no request could name is refused when it is made, with the limit")
    func longAddresses() throws {
        let trial = try MediaTrial()
        let start = trial.origin.url("/a.mp4?t=")
        trial.origin.serve("/a.mp4", OriginObject(.synthetic(length: 1000)))
        func url(_ bytes: Int) -> String {
            start + String(repeating: "x", count: bytes - start.utf8.count)
        }
        let refused = try trial.sign(#"{"url": "\#(url(12_100))"}"#)
        #expect(refused.status == 400 && refused.code == "addressTooLong", "\(refused.text)")
        #expect(refused.text.contains("the limit is 16128"))
        let reply = try trial.curl(try trial.proxied(url(11_990)))
        #expect(reply.status == 200 && reply.body.count == 1000, "\(reply.text)")
    }

    @Test(
        "what the origin says is said, before any byte",
        arguments: [
            (404, 404), (410, 404), (401, 403), (403, 403), (500, 502), (418, 502),
        ])
    func statuses(_ origin: Int, _ status: Int) throws {
        let trial = try MediaTrial()
        var faults = OriginFaults()
        faults.answers = [.status(origin)]
        let (url, _) = try trial.object(length: 1000, faults: faults)
        let reply = try trial.curl(url)
        #expect(reply.status == status)
        #expect(reply.fields["content-type"] == "application/problem+json")
    }

    @Test("a page, an origin that is away and one that says nothing are a gateway's faults")
    func gateway() throws {
        let trial = try MediaTrial { settings in
            settings.limits.headSeconds = 0.2
            settings.retry.maximumTries = 1
        }
        var faults = OriginFaults()
        faults.answers = [.loginPage()]
        let (page, _) = try trial.object("/page", length: 1000, faults: faults)
        #expect(try trial.curl(page).status == 502 && trial.curl(page).code == "notMedia")
        let closed = try LoopbackListener { _ in }.port
        let away = try trial.proxied("http://127.0.0.1:\(closed)/a.mp4")
        #expect(try trial.curl(away).status == 502)
        faults = OriginFaults()
        faults.head.delaySeconds = 5
        let (silent, _) = try trial.object("/silent.mp4", length: 1000, faults: faults)
        #expect(try trial.curl(silent).status == 504)
    }

    @Test("fields that an address names go on, and nobody gets what others' fields have opened")
    func fields() throws {
        let trial = try MediaTrial()
        trial.origin.serve("/a.mp4", OriginObject(.synthetic(length: 10_000)))
        let url = try trial.proxied(trial.origin.url("/a.mp4"), headers: ["Authorization"])
        for token in ["one", "two", "one"] {
            let reply = try trial.curl(
                url, "-H", "Authorization: Bearer \(token)", "-H", "X-Other: 1", "-H", "Cookie: c=1"
            )
            #expect(reply.body.count == 10_000 && reply.fields["vary"] == "authorization")
        }
        #expect(try trial.curl(url).body.count == 10_000)
        let requests = trial.origin.requests("/a.mp4")
        let sent = requests.map { $0.fields["Authorization"] }
        #expect(sent == ["Bearer one", "Bearer two", nil])
        #expect(requests.allSatisfy { $0.fields["X-Other"] == nil && $0.fields["Cookie"] == nil })
    }

    @Test("loaders are kept for a while, and not too many of them")
    func keeper() throws {
        let trial = try MediaTrial()
        let clock = Locked(0.0)
        let keeper = LoaderKeeper(openFiles: 100_000, now: { clock.withLock { $0 } })
        func loader(_ number: Int) throws -> ResourceLoader {
            try trial.tools.sources.loader(for: trial.origin.url("/\(number).mp4"))
        }
        for number in 0..<LoaderKeeper.mostLoaders + 6 {
            keeper.keep(try loader(number))
            clock.withLock { $0 += 0.1 }
        }
        #expect(keeper.count == LoaderKeeper.mostLoaders)
        clock.withLock { $0 = LoaderKeeper.keptSeconds + 0.65 }
        keeper.sweep()
        #expect(keeper.count == LoaderKeeper.mostLoaders - 1)
        clock.withLock { $0 = 1000 }
        keeper.sweep()
        #expect(keeper.count == 0)
        // With few files, few are kept; and none where no file can be opened.
        let small = LoaderKeeper(openFiles: 150, now: { clock.withLock { $0 } })
        for number in 0..<20 { small.keep(try loader(number)) }
        #expect((1...6).contains(small.count))
        var tries = 0
        let answer = try small.freeingFiles { () throws(Refusal) -> Int in
            tries += 1
            guard tries > 1 else { throw .tooManyFiles }
            return small.count
        }
        #expect(answer == 0 && tries == 2)
        #expect(throws: Refusal.self) {
            try small.freeingFiles { () throws(Refusal) in throw .tooManyFiles }
        }
        // One that is asked for again and again goes in the end, so that its origin is asked again.
        let busy = try loader(0)
        keeper.keep(busy)
        clock.withLock { $0 += LoaderKeeper.longestSeconds }
        keeper.keep(busy)
        #expect(keeper.count == 0)
    }
}
