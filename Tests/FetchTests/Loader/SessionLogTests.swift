import Foundation
import TakeupLanes
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Session log")
struct SessionLogTests {
    @Test("says what a session did, and nothing that is secret")
    func tells() async throws {
        let trial = try LoaderTrial { $0.kind = .export }
        let content = LoaderTrial.content(2_000_000)
        trial.origin.serve("/a.mp4", OriginObject(content))
        let loader = try trial.library.loader(for: trial.origin.url("/a.mp4?secret=1"))
        let events = loader.events()
        let bytes = try LoaderTrial.bytes(content)
        try await Lane("test").run {
            let reader = loader.reader()
            guard try reader.equals(bytes) else { throw FetchError.cancelled }
            loader.close()
        }
        let log = try #require(trial.logs.withLock { $0.first })
        #expect(trial.logs.withLock { $0.count } == 1)
        #expect(log.kind == .export)
        #expect(!log.url.contains("secret"))
        #expect(log.peerAddress == "127.0.0.1")
        #expect(log.originBytes == 2_000_000)
        #expect(log.deliveredBytes == 2_000_000)
        #expect(log.originRequests == trial.origin.requestCount("/a.mp4"))
        #expect(log.startOffset == 0)
        #expect(log.ttfbSeconds != nil)
        #expect(log.maxBytesPerSecond ?? 0 >= log.minBytesPerSecond ?? 1)
        #expect(log.result == "complete")
        let text = try JSONEncoder().encode(log)
        #expect(try JSONDecoder().decode(SessionLog.self, from: text) == log)
        // Those that are made of others are in the log alone.
        let made: Set = ["observed_bytes_per_second", "saved_bytes"]
        let keys = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any]).keys
        #expect(Set(log.fields.map(\.name)).subtracting(made) == Set(keys))
        #expect(log.fields.contains(LogField("origin_bytes", 2_000_000)))
        var seen: [FetchEvent] = []
        for await event in events { seen.append(event) }
        #expect(seen.first == .began)
        #expect(seen.contains(.response(status: 206)))
        #expect(seen.last == .log(log))
    }

    @Test("one that is closed while a request is under way says what that has cost")
    func closedEarly() throws {
        let trial = try LoaderTrial()
        var object = OriginObject(LoaderTrial.content(2_000_000))
        object.faults.stalls = [OriginStall(at: 100_000)]
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        #expect(try loader.reader().some(1000, at: 0).count == 1000)
        loader.close()
        let log = try #require(trial.logs.withLock { $0.first })
        #expect(log.peerAddress == "127.0.0.1")
        #expect(log.ttfbSeconds != nil && log.originSeconds > 0)
        #expect(log.originBytes > 0 && log.result == "partial")
    }

    @Test("speeds of transfers have a least, a most and a deviation")
    func speeds() {
        var record = SpeedRecord()
        record.note(bytes: 1000, seconds: 1)
        #expect(record.most == nil)
        record.note(bytes: 100_000, seconds: 1)
        record.note(bytes: 300_000, seconds: 1)
        #expect(record.least == 100_000)
        #expect(record.most == 300_000)
        #expect(Int(record.deviation ?? 0) == 141_421)
    }
}
