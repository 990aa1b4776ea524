import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and playlists that are published anew")
struct PlaylistVersionTests {
    private static let names = ["one.ts", "two.ts", "three.ts"]

    private func content(_ place: Int, _ version: Int) -> OriginContent {
        LoaderTrial.content(100_000, seed: UInt64(version * 10 + place))
    }

    private func whole(_ version: Int) throws -> [UInt8] {
        try Self.names.indices.flatMap { try LoaderTrial.bytes(content($0, version)) }
    }

    /// The same names and lengths with other bytes.
    private func publish(_ version: Int, at origin: TestOrigin) {
        for (place, name) in Self.names.enumerated() {
            let object = OriginObject(
                content(place, version), tag: .strong("v\(version)"),
                lastModified: 1_700_000_000 + version)
            origin.serve("/\(name)", object)
        }
        let lines =
            ["#EXTM3U", "#EXT-X-TARGETDURATION:4"] + Self.names.flatMap { ["#EXTINF:4,", $0] }
            + ["#EXT-X-ENDLIST"]
        let list = OriginContent.bytes(Array(lines.joined(separator: "\n").utf8))
        origin.serve(
            "/a.m3u8", OriginObject(list, type: "application/vnd.apple.mpegurl", tag: .absent))
    }

    @Test("a complete one starts over (C5)")
    func complete() throws {
        let trial = try LoaderTrial { $0.freshSeconds = 0 }
        publish(1, at: trial.origin)
        try trial.loader("/a.m3u8").waitUntilComplete()
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        let served = trial.origin.bytesServed("/two.ts")
        do {
            let loader = try trial.another { $0.freshSeconds = 0 }
                .loader(for: trial.origin.url("/a.m3u8"))
            #expect(try loader.reader().everything() == whole(1))
            #expect(trial.origin.bytesServed("/two.ts") == served)
        }
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 2 })
        publish(2, at: trial.origin)
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.m3u8"))
        #expect(try loader.reader().everything() == whole(2))
        #expect(loader.log.versionChanges == 1)
    }

    @Test(
        "one whose origin tells nothing of its segments starts over in a new session (C5)",
        arguments: [OriginFaults.Framing.chunked, .untilClose])
    func silent(framing: OriginFaults.Framing) throws {
        let trial = try LoaderTrial { $0.freshSeconds = 0 }
        func publishSilently(_ version: Int) {
            publish(version, at: trial.origin)
            for name in Self.names {
                trial.origin.change("/\(name)") { object in
                    (object.tag, object.lastModified) = (.absent, nil)
                    (object.faults.framing, object.faults.ranges) = (framing, .ignored)
                }
            }
        }
        publishSilently(1)
        do {
            let loader = try trial.loader("/a.m3u8")
            #expect(try loader.reader().everything() == whole(1))
            #expect(loader.log.versionChanges == 0)
        }
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        publishSilently(2)
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.m3u8"))
        #expect(try loader.reader().everything() == whole(2))
    }

    @Test("one that is half here is not joined with the other half (C5)")
    func half() throws {
        let trial = try LoaderTrial()
        publish(1, at: trial.origin)
        trial.origin.change("/two.ts") { $0.faults.answers = [.status(404)] }
        let loader = try trial.loader("/a.m3u8")
        let reader = loader.reader()
        #expect(throws: FetchError.self) { try reader.everything() }
        publish(2, at: trial.origin)
        let error = #expect(throws: FetchError.self) { try reader.all(100_000..<100_001) }
        #expect(error?.name == "changed")
        #expect(try loader.reader().everything() == whole(2))
    }

    @Test("one that is published anew on the way is not called complete (C5)")
    func onTheWay() throws {
        let trial = try LoaderTrial { $0.aheadBytes = 1 }
        publish(1, at: trial.origin)
        let loader = try trial.loader("/a.m3u8")
        let reader = loader.reader()
        #expect(try reader.all(0..<1000) == content(0, 1).read(0..<1000))
        #expect(trial.origin.wait { _ in loader.status.phase == .idle })
        publish(2, at: trial.origin)
        let error = #expect(throws: FetchError.self) { try reader.everything() }
        #expect(error?.name == "changed")
        #expect(try loader.reader().everything() == whole(2))
    }
}
