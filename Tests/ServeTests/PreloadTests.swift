import Foundation
import TakeupFetch
import TakeupFiles
import TakeupHTTP
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Preload and sources", .timeLimit(.minutes(5)))
struct PreloadTests {
    private static let length: Int64 = 4_000_000

    /// Routes over a library and a real origin.
    private final class Trial {
        let folder: TemporaryDirectory
        let origin: TestOrigin
        let library: SourceLibrary
        let desk: PreloadDesk
        let clock = Locked(1000.0)
        private let routes: [Route]

        init() throws {
            folder = try TemporaryDirectory()
            origin = try TestOrigin()
            let networks = ["127.0.0.0/8", "::1"].compactMap { NetworkPrefix($0) }
            var settings = FetchSettings(
                addressPolicy: AddressPolicy(
                    permitted: networks, ports: nil, permitsPlainHTTP: true))
            settings.retry = OriginRetryPolicy(firstSeconds: 0.001, longestSeconds: 0.002)
            let clock = clock
            let now: @Sendable () -> Double = { clock.withLock { $0 } }
            let store = try SourceStore(path: folder.file("sources"), clock: now)
            library = SourceLibrary(store: store, settings: settings)
            desk = PreloadDesk(library, limits: SourceLimits(), wallClock: now)
            let preload = PreloadRoutes(desk, library, wallClock: now)
            routes = preload.routes + SourceRoutes(library).routes
        }

        deinit {
            desk.stop()
            library.close()
            origin.stop()
        }

        func serve(_ path: String, _ change: (inout OriginFaults) -> Void = { _ in }) {
            var object = OriginObject(.synthetic(length: PreloadTests.length))
            change(&object.faults)
            origin.serve(path, object)
        }

        func ask(_ method: String, _ path: String, _ body: String = "") throws -> Answer {
            let parts = path.split(separator: "?")
            let target = parts[0].split(separator: "/").map(String.init)
            let route = try #require(
                routes.first { route in
                    route.method == method
                        && RoutePattern(route.pattern).match(target) != nil
                })
            let request = RoutedRequest(
                http: HTTPRequest(method: method, target: path),
                parameters: RoutePattern(route.pattern).match(target) ?? [:],
                query: parts.count > 1 ? PercentText.query(String(parts[1])) ?? [] : [])
            switch route.handle(request) {
            case .answer(let response): return Answer(response)
            case .collect(_, let answer): return Answer(answer(Array(body.utf8)))
            case .receive: throw Unanswered()
            }
        }

        /// Preloads, and waits for the end.
        func preload(_ body: String) throws -> [String] {
            let id = try #require(try ask("POST", "/v1/preload", body).json["id"] as? String)
            let hasEnded = origin.wait { _ in desk.list(id)?.endedAt != nil }
            #expect(hasEnded)
            return try items(id)
        }

        /// The states and codes of a list.
        func items(_ id: String) throws -> [String] {
            let items = try ask("GET", "/v1/preload/\(id)").json["items"] as? [[String: Any]]
            return (items ?? []).map { item in
                [item["state"] as? String, item["code"] as? String].compactMap(\.self)
                    .joined(separator: " ")
            }
        }

        func sources(_ query: String = "") throws -> [[String: Any]] {
            try ask("GET", "/v1/sources\(query)").json["sources"] as? [[String: Any]] ?? []
        }
    }

    private struct Answer {
        let response: HTTPResponse
        let json: [String: Any]

        init(_ response: HTTPResponse) {
            self.response = response
            guard case .bytes(let bytes) = response.body else {
                json = [:]
                return
            }
            let value = try? JSONSerialization.jsonObject(with: Data(bytes))
            json = value as? [String: Any] ?? [:]
        }
    }

    @Test("a range comes, and little more than it")
    func range() throws {
        let trial = try Trial()
        trial.serve("/a.mp4")
        let url = trial.origin.url("/a.mp4?token=secret")
        #expect(try trial.preload("{\"url\":\"\(url)\",\"range\":\"2000000-2099999\"}") == ["done"])
        // The preload is done a moment before its download has ended.
        var source = try #require(try trial.sources().first)
        while source["state"] as? String == "fetching" {
            source = try #require(try trial.sources().first)
        }
        let present = try #require(source["bytesPresent"] as? Int)
        #expect((100_000...1_000_000).contains(present))
        #expect(source["state"] as? String == "partial")
        #expect(source["bytesTotal"] as? Int == Int(Self.length))
        #expect(source["url"] as? String == trial.origin.url("/a.mp4?…"))
        #expect(source["originRequests"] as? Int == trial.origin.requestCount("/a.mp4"))
        let held = try trial.library.loader(for: url).holdings.present
        #expect(held.prefixEnd(from: 2_000_000) >= 2_100_000)
        // Once it is here, it is not asked for again.
        let served = trial.origin.bytesServed("/a.mp4")
        #expect(try trial.preload("{\"url\":\"\(url)\",\"range\":\"2000000-2099999\"}") == ["done"])
        #expect(trial.origin.bytesServed("/a.mp4") == served)
    }

    @Test("a whole source comes; a range at its end is done, one behind it failed")
    func ends() throws {
        let trial = try Trial()
        for path in ["/a.mp4", "/b.mp4", "/c.mp4"] { trial.serve(path) }
        let origin = trial.origin
        #expect(
            try trial.preload("{\"url\":\"\(origin.url("/a.mp4"))\",\"range\":\"3999990-9999999\"}")
                == ["done"])
        #expect(
            try trial.preload("{\"url\":\"\(origin.url("/b.mp4"))\",\"range\":\"4000000-4000001\"}")
                == ["failed beyondEnd"])
        #expect(try trial.preload("{\"url\":\"\(origin.url("/c.mp4"))\"}") == ["done"])
        #expect(origin.bytesServed("/c.mp4") == Self.length)
        #expect(
            try trial.preload("{\"url\":\"\(origin.url("/c.mp4"))\",\"range\":\"4000000-4000001\"}")
                == ["failed beyondEnd"])
        #expect(try trial.preload("{\"url\":\"\(origin.url("/c.mp4"))\",\"bytes\":5}") == ["done"])
    }

    @Test("the next ones of a list come in order, one at a time; others do not")
    func order() throws {
        let trial = try Trial()
        let paths = ["/a.mp4", "/b.mp4", "/missing.mp4", "/c.mp4"]
        for path in paths where path != "/missing.mp4" { trial.serve(path) }
        let urls = paths.map { "\"\(trial.origin.url($0))\"" }.joined(separator: ",")
        #expect(
            try trial.preload("{\"urls\":[\(urls),\"http://10.0.0.1/x\",\"nothing\"],\"next\":3}")
                == ["done", "done", "failed inputMissing"])
        let (first, second) = (trial.origin.requests("/a.mp4"), trial.origin.requests("/b.mp4"))
        #expect(first.compactMap(\.endSeconds).max() ?? .infinity <= second[0].seconds)
        #expect(trial.origin.requestCount("/c.mp4") == 0)
        let failed = try #require(
            try trial.sources().first { $0["url"] as? String == trial.origin.url("/missing.mp4") })
        #expect(failed["state"] as? String == "failed")
        #expect(failed["lastError"] as? String == "status 404")
    }

    @Test("a playlist is refused by its name, or as soon as it is seen to be one")
    func playlists() throws {
        let trial = try Trial()
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n"
        trial.origin.serve("/list", OriginObject(.bytes(Array(text.utf8)), type: "text/plain"))
        for path in ["/a.mp4", "/a.ts"] { trial.serve(path) }
        let (list, file) = (trial.origin.url("/list"), trial.origin.url("/a.mp4"))
        let named = "\(trial.origin.url("/l.m3u8"))?key=secret"
        let refused = try trial.ask("POST", "/v1/preload", "{\"urls\":[\"\(file)\",\"\(named)\"]}")
        #expect(refused.response.status == 400 && refused.json["code"] as? String == "playlist")
        #expect((refused.json["detail"] as? String)?.contains("secret") == false)
        #expect(trial.origin.totals.connections == 0)
        #expect(
            try trial.preload("{\"urls\":[\"\(file)\",\"\(named)\"],\"next\":1}") == ["done"])
        #expect(
            try trial.preload("{\"urls\":[\"\(list)\",\"\(file)\"]}")
                == ["failed playlist", "done"])
    }

    @Test("a cancelled list stops at once, as often as it is cancelled")
    func cancel() throws {
        let trial = try Trial()
        trial.serve("/a.mp4") { $0.stalls = [OriginStall(at: 1_000_000)] }
        trial.serve("/b.mp4")
        let urls = ["/a.mp4", "/b.mp4"].map { "\"\(trial.origin.url($0))\"" }
        let answer = try trial.ask(
            "POST", "/v1/preload", "{\"urls\":[\(urls.joined(separator: ","))]}")
        let id = try #require(answer.json["id"] as? String)
        #expect(answer.response.status == 202)
        #expect(answer.response.fields["Location"] == "/v1/preload/\(id)")
        #expect(trial.origin.wait { $0.bytesServed("/a.mp4") == 1_000_000 })
        #expect(try trial.items(id) == ["fetching", "waiting"])
        for _ in 0..<2 {
            #expect(try trial.ask("DELETE", "/v1/preload/\(id)").response.status == 204)
        }
        #expect(trial.origin.wait { $0.totals.openRequests == 0 })
        #expect(try trial.items(id) == ["partial cancelled", "failed cancelled"])
        #expect(try trial.ask("GET", "/v1/preload/\(id)").json["state"] as? String == "cancelled")
        #expect(trial.origin.requestCount("/b.mp4") == 0)
        trial.clock.withLock { $0 += 3601 }
        #expect(try trial.ask("GET", "/v1/preload/\(id)").response.status == 404)
    }

    @Test("live readers go first")
    func priority() throws {
        let trial = try Trial()
        trial.serve("/live.mp4") { $0.stalls = [OriginStall(at: 100_000)] }
        trial.serve("/a.mp4")
        let loader = try trial.library.loader(for: trial.origin.url("/live.mp4"))
        let reader = loader.reader()
        let group = LaneGroup()
        group.start("read") {
            var room = [UInt8](repeating: 0, count: 1000)
            _ = try? room.withUnsafeMutableBytes { try reader.read(into: $0, at: 200_000) }
        }
        #expect(trial.origin.wait { $0.bytesServed("/live.mp4") > 0 })
        let body = "{\"url\":\"\(trial.origin.url("/a.mp4"))\"}"
        let id = try #require(try trial.ask("POST", "/v1/preload", body).json["id"] as? String)
        #expect(trial.origin.requestCount("/a.mp4") == 0)
        let live = try #require(try trial.sources().first { $0["readers"] as? Int == 1 })
        #expect(live["state"] as? String == "fetching")
        let key = try #require(live["key"] as? String)
        #expect(try trial.ask("DELETE", "/v1/sources/\(key)").response.status == 409)
        trial.origin.release("/live.mp4")
        group.wait()
        reader.cancel()
        #expect(trial.origin.wait { _ in trial.desk.list(id)?.endedAt != nil })
        #expect(try trial.items(id) == ["done"])
    }

    @Test(
        "a request that says too little, too much or something else is refused",
        arguments: [
            "", "{}", "[]", "{\"url\":\"a\",\"urls\":[\"a\"]}", "{\"urls\":[]}", "{\"urls\":[1]}",
            "{\"url\":\"a\",\"range\":\"5-4\"}", "{\"url\":\"a\",\"range\":\"-4\"}",
            "{\"url\":\"a\",\"range\":\"1\"}", "{\"url\":\"a\",\"range\":\"0-1\",\"bytes\":1}",
            "{\"url\":\"a\",\"range\":\"0-99999999999999999999\"}", "{\"url\":\"a\",\"bytes\":0}",
            "{\"url\":\"a\",\"bytes\":1.5}", "{\"url\":\"a\",\"next\":0}",
            "{\"url\":\"a\",\"ranges\":1}",
            "{\"url\":\"a\",\"bytes\":1e30}", "{\"url\":\"a\"} x",
        ])
    func refusals(body: String) throws {
        #expect(try Trial().ask("POST", "/v1/preload", body).response.status == 400)
    }

    @Test("too many addresses or lists are refused")
    func bounds() throws {
        let trial = try Trial()
        let many = Array(repeating: "\"x\"", count: 1001).joined(separator: ",")
        #expect(try trial.ask("POST", "/v1/preload", "{\"urls\":[\(many)]}").response.status == 400)
        trial.serve("/a.mp4") { $0.stalls = [OriginStall(at: 1000)] }
        let body = "{\"url\":\"\(trial.origin.url("/a.mp4"))\"}"
        for _ in 0..<100 {
            #expect(try trial.ask("POST", "/v1/preload", body).response.status == 202)
        }
        #expect(try trial.ask("POST", "/v1/preload", body).response.status == 503)
    }

    @Test("sources come in pages, and one that nobody uses can be removed")
    func sources() throws {
        let trial = try Trial()
        let paths = (0..<5).map { "/\($0).mp4" }
        for path in paths { trial.serve(path) }
        let urls = paths.map { "\"\(trial.origin.url($0))\"" }.joined(separator: ",")
        #expect(
            try trial.preload("{\"urls\":[\(urls)],\"bytes\":1000}")
                == Array(repeating: "done", count: 5))
        var keys: [String] = []
        var next: String? = ""
        while let after = next {
            let query = after.isEmpty ? "?limit=2" : "?limit=2&after=\(after)"
            let page = try trial.ask("GET", "/v1/sources\(query)").json
            let sources = try #require(page["sources"] as? [[String: Any]])
            keys += sources.compactMap { $0["key"] as? String }
            next = page["next"] as? String
        }
        #expect(keys.count == 5 && keys == keys.sorted())
        let path = "/v1/sources/\(keys[0])"
        #expect(trial.origin.wait { _ in (try? trial.ask("DELETE", path))?.response.status == 204 })
        #expect(try trial.ask("DELETE", path).response.status == 404)
        #expect(try trial.ask("GET", "/v1/sources/\(keys[1])").json["key"] as? String == keys[1])
        #expect(try trial.ask("GET", "/v1/sources/none").response.status == 404)
        #expect(try trial.ask("GET", "/v1/sources?limit=0").response.status == 400)
        #expect(try trial.sources().count == 4)
    }
}

private struct Unanswered: Error {}
