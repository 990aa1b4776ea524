import Foundation
import TakeupFetch
import TakeupHTTP
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Playlist proxy")
struct PlaylistProxyTests {
    /// A proxy before a real origin, on a clock that only the test moves.
    private final class Trial {
        let folder: TemporaryDirectory
        let origin: TestOrigin
        let proxy: PlaylistProxy
        let key = ProxyKey(bytes: Array(0..<32))
        let clock = Locked(1000.0)

        init(mostHeldBytes: Int = 64 << 20) throws {
            folder = try TemporaryDirectory()
            origin = try TestOrigin()
            let networks = ["127.0.0.0/8", "::1"].compactMap { NetworkPrefix($0) }
            var settings = FetchSettings(
                addressPolicy: AddressPolicy(
                    permitted: networks, ports: nil, permitsPlainHTTP: true))
            settings.retry = OriginRetryPolicy(firstSeconds: 0.001, longestSeconds: 0.002)
            settings.judge.retryAfterCapSeconds = 0
            let store = try SourceStore(path: folder.file("sources")) { 0 }
            let clock = clock
            proxy = PlaylistProxy(
                SourceLibrary(store: store, settings: settings), key: key,
                mostHeldBytes: mostHeldBytes
            ) { clock.withLock { $0 } }
        }

        deinit { origin.stop() }

        func serve(
            _ path: String, _ lines: [String], _ change: (inout OriginFaults) -> Void = { _ in }
        ) {
            let text = (["#EXTM3U"] + lines).joined(separator: "\n")
            var object = OriginObject(.bytes(Array(text.utf8)), type: "text/plain", tag: .absent)
            change(&object.faults)
            origin.serve(path, object)
        }

        func ask(
            _ path: String, method: String = "GET", _ fields: [(String, String)] = [],
            passing names: [String] = [], query: [(name: String, value: String)] = [],
            expires: Int64? = nil
        ) throws -> HTTPResponse {
            let http = HTTPRequest(method: method, target: "/p/x", fields: HTTPFields(fields))
            let address = ProxyAddress(url: origin.url(path), headers: names, expiresAt: expires)
            let plan = proxy.answer(
                RoutedRequest(http: http, query: query), address, base: "http://proxy")
            guard case .answer(let response) = plan else { throw Unanswered() }
            return response
        }

        /// The proxy addresses of an answer, opened again.
        func addresses(_ response: HTTPResponse) throws -> [ProxyAddress] {
            try response.text.split(separator: "\n").filter { $0.hasPrefix("http://proxy/p/") }.map
            {
                let token = $0.dropFirst("http://proxy/p/".count).prefix { $0 != "/" }
                return try ProxyAddress(token: String(token), key, now: 0)
            }
        }
    }

    @Test("an address that is too long for the server stays one of the origin")
    func longAddresses() throws {
        let trial = try Trial()
        let name = "b.ts?" + String(repeating: "x", count: 12_500)
        trial.serve("/v/l.m3u8", live + ["#EXTINF:6,", name, "#EXT-X-ENDLIST"])
        let lines = try trial.ask("/v/l.m3u8").text.split(separator: "\n")
        #expect(lines.contains { $0 == trial.origin.url("/v/\(name)") })
        #expect(lines.contains { $0.hasPrefix("http://proxy/p/") && $0.hasSuffix("/a.ts") })
    }

    private let live = ["#EXT-X-TARGETDURATION:6", "#EXTINF:6,", "a.ts"]

    @Test("addresses become proxy addresses of the same fields and expiry")
    func rewrites() throws {
        let trial = try Trial()
        trial.serve("/v/l.m3u8", live + ["#EXT-X-ENDLIST"])
        let response = try trial.ask(
            "/v/l.m3u8", [("Authorization", "x")], passing: ["authorization"],
            expires: 9_999_999_999)
        #expect(response.status == 200)
        #expect(response.fields["Content-Type"] == "application/vnd.apple.mpegurl")
        #expect(response.fields["Cache-Control"] == "private, max-age=60")
        #expect(response.fields["Vary"] == "authorization")
        #expect(
            try trial.addresses(response) == [
                ProxyAddress(
                    url: trial.origin.url("/v/a.ts"), headers: ["authorization"],
                    expiresAt: 9_999_999_999)
            ])
        let asked = try #require(trial.origin.requests("/v/l.m3u8").first)
        #expect(asked.fields["Authorization"] == "x" && asked.range == nil)
    }

    @Test("a redirected playlist is resolved against where it came from")
    func redirect() throws {
        let trial = try Trial()
        trial.serve("/old.m3u8", []) { $0.redirect = OriginRedirect(.path("/new/l.m3u8")) }
        trial.serve("/new/l.m3u8", live)
        #expect(
            try trial.addresses(trial.ask("/old.m3u8")).map(\.url) == [
                trial.origin.url("/new/a.ts")
            ])
    }

    @Test(
        "a live playlist is fetched anew after half a target duration, an ended one after a minute")
    func freshness() throws {
        let trial = try Trial()
        trial.serve("/live.m3u8", live)
        trial.serve("/vod.m3u8", live + ["#EXT-X-ENDLIST"])
        func ask(at time: Double) throws -> [Int] {
            trial.clock.withLock { $0 = 1000 + time }
            #expect(try trial.ask("/live.m3u8").fields["Cache-Control"] == "private, no-cache")
            #expect(try trial.ask("/vod.m3u8").status == 200)
            return ["/live.m3u8", "/vod.m3u8"].map { trial.origin.requestCount($0) }
        }
        #expect(try ask(at: 0) == [1, 1])
        #expect(try ask(at: 2.9) == [1, 1])
        #expect(try ask(at: 3.1) == [2, 1])
        #expect(try ask(at: 59) == [3, 1])
        #expect(try ask(at: 61) == [3, 2])
    }

    @Test("who has the text gets 304, and HEAD has the length of GET")
    func validation() throws {
        let trial = try Trial()
        trial.serve("/l.m3u8", live)
        let first = try trial.ask("/l.m3u8")
        let tag = try #require(first.fields["ETag"])
        #expect(try trial.ask("/l.m3u8", [("If-None-Match", "\"a\", \(tag)")]).status == 304)
        #expect(try trial.ask("/l.m3u8", [("If-None-Match", "\"a\"")]).status == 200)
        #expect(try trial.ask("/l.m3u8", method: "HEAD").body.length == first.body.length)
        trial.serve("/l.m3u8", live + ["#EXTINF:6,", "b.ts"])
        trial.clock.withLock { $0 += 10 }
        #expect(try trial.ask("/l.m3u8", [("If-None-Match", tag)]).status == 200)
    }

    @Test("all who ask at once share one fetch")
    func sharing() throws {
        let trial = try Trial()
        trial.serve("/l.m3u8", live) { $0.stalls = [OriginStall(at: 10)] }
        let texts = Locked<[String]>([])
        let group = LaneGroup()
        let shared = Shared(trial)
        for _ in 0..<8 {
            group.start("ask") {
                let text = try? shared.trial.ask("/l.m3u8").text
                texts.withLock { $0.append(text ?? "") }
            }
        }
        #expect(trial.origin.wait { $0.requestCount("/l.m3u8") == 1 })
        trial.origin.release("/l.m3u8")
        group.wait()
        #expect(trial.origin.requestCount("/l.m3u8") == 1)
        #expect(texts.withLock { Set($0).count == 1 && $0[0].hasPrefix("#EXTM3U") })
    }

    @Test("other values of passed fields never share an answer")
    func privacy() throws {
        let trial = try Trial()
        trial.serve("/l.m3u8", live + ["#EXT-X-ENDLIST"])
        for value in ["a", "b", "a", nil] {
            let fields = value.map { [("Authorization", $0)] } ?? []
            #expect(
                try trial.ask("/l.m3u8", fields, passing: ["authorization"]).status == 200)
        }
        #expect(
            trial.origin.requests("/l.m3u8").map { $0.fields["Authorization"] } == ["a", "b", nil])
        // What no address passes on makes no difference.
        _ = try trial.ask("/l.m3u8", [("Authorization", "c")])
        _ = try trial.ask("/l.m3u8", [("Authorization", "d")])
        #expect(trial.origin.requestCount("/l.m3u8") == 4)
        #expect(trial.origin.requests("/l.m3u8")[3].fields["Authorization"] == nil)
    }

    @Test("directives go on to the origin, once for each state and its freshness")
    func directives() throws {
        let trial = try Trial()
        trial.serve("/l.m3u8", live)
        func ask(_ part: String) throws {
            let query = [
                (name: "_HLS_part", value: part), (name: "_HLS_msn", value: "7"), ("x", "y"),
            ]
            #expect(try trial.ask("/l.m3u8?a=1", query: query).status == 200)
        }
        for part in ["2", "2", "3", "2"] { try ask(part) }
        let directed = "a=1&_HLS_msn=7&_HLS_part="
        #expect(
            trial.origin.requests("/l.m3u8").map(\.query) == [directed + "2", directed + "3"])
        trial.clock.withLock { $0 += 3.1 }
        try ask("2")
        #expect(trial.origin.requestCount("/l.m3u8") == 3)
        #expect(
            try trial.ask("/l.m3u8", query: [(name: "_HLS_msn", value: "7&a=b")]).status == 400)
    }

    @Test("what is held of playlists at once is bounded in bytes")
    func heldBytes() throws {
        let trial = try Trial(mostHeldBytes: 4_000_000)
        let segments = (0..<2000).flatMap { ["#EXTINF:6,", "\($0).ts"] }
        for number in 0..<20 {
            trial.serve("/\(number).m3u8", ["#EXT-X-TARGETDURATION:6"] + segments)
        }
        // Each is about 400 kB: ten are sent at once, and the rest is refused.
        var sent: [HTTPResponse] = []
        for number in 0..<20 {
            let response = try trial.ask("/\(number).m3u8")
            #expect([200, 503].contains(response.status))
            if response.status == 503 { #expect(response.text.contains("tooManyPlaylists")) }
            if response.status == 200 { sent.append(response) }
        }
        let size = try #require(sent.first?.body.length)
        #expect(size > 200_000 && sent.count < 20 && sent.count >= 4_000_000 / Int(size) - 2)
        #expect(trial.proxy.heldBytes.most <= 4_000_000)
        #expect(sent.allSatisfy { $0.text.hasSuffix("/1999.ts") })
        // What is only kept makes room for what is asked for.
        sent = []
        for number in 0..<20 { #expect(try trial.ask("/\(number).m3u8").status == 200) }
        #expect(trial.proxy.heldBytes.most <= 4_000_000 && trial.proxy.heldBytes.now > 0)
    }

    @Test("what cannot be served says why, and is not kept")
    func failures() throws {
        let trial = try Trial()
        func status(_ path: String) throws -> Int { try trial.ask(path).status }
        trial.origin.serve("/page", OriginObject(.bytes(Array("<html>".utf8)), type: "text/html"))
        trial.serve("/busy", live) { $0.answers = [.status(503)] }
        trial.serve("/private", live) { $0.answers = [.status(403)] }
        trial.serve("/out", []) { $0.redirect = OriginRedirect(.verbatim("http://10.0.0.1/x")) }
        trial.origin.serve("/large", OriginObject(.synthetic(length: 9 << 20)))
        let page = try trial.ask("/page")
        #expect(page.status == 502 && page.text.contains("notPlaylist"))
        let large = try trial.ask("/large")
        #expect(large.status == 502 && large.text.contains("playlistTooLarge"))
        #expect(try status("/nothing") == 404)
        #expect(try status("/private") == 403)
        #expect(try status("/out") == 403)
        #expect(try status("/busy") == 502)
        #expect(trial.origin.requestCount("/busy") == 3)
        #expect(trial.proxy.count == 0)
        trial.serve("/nothing", live)
        #expect(try status("/nothing") == 200)
    }

    @Test("no more playlists are kept than there is room for")
    func bound() throws {
        let trial = try Trial()
        for number in 0..<40 {
            trial.serve("/\(number).m3u8", live)
            _ = try trial.ask("/\(number).m3u8")
        }
        #expect(trial.proxy.count == 32)
    }

    // Safe: nothing in it changes, and all that it holds may be used from any thread.
    private final class Shared: @unchecked Sendable {
        let trial: Trial

        init(_ trial: Trial) { self.trial = trial }
    }
}

extension HTTPResponse {
    fileprivate var text: String {
        switch body {
        case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .stream(let source, let length):
            var bytes = [UInt8](repeating: 0, count: Int(length ?? 0))
            let count = bytes.withUnsafeMutableBytes { room in
                (try? source.read(into: room, at: 0) { false }) ?? -1
            }
            return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : "broken"
        case .none, .file: return ""
        }
    }
}

private struct Unanswered: Error {}
