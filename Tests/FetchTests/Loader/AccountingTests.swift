import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Accounting of a session")
struct AccountingTests {
    private static let length: Int64 = 6_000_000
    private let content = LoaderTrial.content(length)

    @Test("bytes that were given are bytes that were counted, to the one (C15)")
    func delivered() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", OriginObject(content))
        let given = Locked<Int64>(0)
        let group = LaneGroup()
        var loader: ResourceLoader? = try trial.loader()
        for seed in 1...8 as ClosedRange<UInt64> {
            guard let reader = loader?.reader() else { continue }
            group.start("reader") {
                var random = SeededRandom(state: seed)
                for _ in 0..<100 {
                    let offset = Int64(random.next() % UInt64(Self.length + 1000))
                    let most = 1 + Int(random.next() % 70_000)
                    guard let bytes = try? reader.some(most, at: offset) else { continue }
                    given.withLock { $0 += Int64(bytes.count) }
                }
            }
        }
        group.wait()
        loader?.close()
        loader = nil
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        let log = try #require(trial.logs.withLock { $0.first })
        #expect(log.deliveredBytes == given.withLock { $0 })
        // What a broken transfer leaves in buffers was sent and not received.
        #expect(log.originBytes <= trial.origin.bytesServed("/a.mp4"))
    }

    @Test("whole passes count each byte at the origin once, and what was saved (C15)")
    func saved() throws {
        let trial = try LoaderTrial()
        trial.origin.serve("/a.mp4", OriginObject(content))
        for pass in 1...3 {
            do {
                let reader = try trial.loader().reader()
                #expect(try reader.everything().count == Int(Self.length))
            }
            #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == pass })
        }
        let logs = trial.logs.withLock { $0 }
        #expect(logs.map(\.deliveredBytes) == [Self.length, Self.length, Self.length])
        #expect(logs.map(\.originBytes) == [Self.length, 0, 0])
        #expect(logs.map(\.cacheBytes) == [0, Self.length, Self.length])
        #expect(logs.map(\.savedBytes) == [0, Self.length, Self.length])
        #expect(trial.origin.bytesServed("/a.mp4") == Self.length)
    }

    @Test("what is thrown away with a version is counted as well (C15)")
    func discarded() throws {
        let trial = try LoaderTrial { $0.freshSeconds = 0 }
        trial.origin.serve("/a.mp4", OriginObject(content))
        try trial.loader().waitUntilComplete()
        let next = OriginObject(
            LoaderTrial.content(1_000_000, seed: 2), tag: .strong("v2"), lastModified: 1_700_000_100
        )
        trial.origin.replace("/a.mp4", with: next)
        #expect(trial.origin.wait { _ in trial.logs.withLock { $0.count } == 1 })
        let loader = try trial.another { $0.freshSeconds = 0 }
            .loader(for: trial.origin.url("/a.mp4"))
        try loader.waitUntilComplete()
        #expect(loader.log.discardedBytes == Self.length)
        #expect(loader.log.originBytes == 1_000_000)
        #expect(loader.log.versionChanges == 1)
    }
}
