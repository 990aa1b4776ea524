import Foundation
import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader under many hands")
struct InterleavingTests {
    /// What became of the reads of one reader.
    private struct Outcome {
        var begun = 0
        var ended = 0
        var wrong = 0
        var afterCancel = 0
    }

    @Test("each read ends exactly once, and none gives bytes after a cancel (C12)")
    func interleaves() throws {
        let trial = try LoaderTrial()
        let content = LoaderTrial.content(600_000)
        let bytes = try LoaderTrial.bytes(content)
        for name in 0..<10 {
            var object = OriginObject(content)
            // Lengths that nobody tells before the end.
            if name > 6 { (object.faults.ranges, object.faults.framing) = (.ignored, .chunked) }
            trial.origin.serve("/\(name).mp4", object)
        }
        let outcome = Locked(Outcome())
        let given = ProcessInfo.processInfo.environment["TAKEUP_SEED"].flatMap { UInt64($0) }
        let seed = given ?? .random(in: 0...UInt64.max)
        print("TAKEUP_SEED=\(seed) brings the same interleavings again")
        var random = SeededRandom(state: seed)
        for run in 0..<1000 {
            let path = "/\(run % 10).mp4"
            // Or soon everything would be here.
            if run % 7 == 6 {
                let key = SourceKey(address: trial.origin.url(path))
                _ = try trial.library.store.remove(key)
            }
            let loader = try trial.loader(path)
            let act = random.next() % 5
            let group = LaneGroup()
            for _ in 0...random.next() % 2 {
                let seed = random.next()
                group.start("reader") {
                    Self.read(loader, bytes, seed: seed, cancels: act == 0, outcome)
                }
            }
            if act == 4 {
                group.start("whole") { Self.wait(for: loader, outcome) }
            }
            if act == 1 { loader.close() }
            if act == 2 { _ = try? loader.information() }
            if act == 3 {
                trial.origin.change(path) { $0.faults.answers = [.status(404, times: 1)] }
            }
            group.wait()
        }
        let result = outcome.withLock { $0 }
        #expect(result.begun > 4000 && result.begun == result.ended, "seed \(seed)")
        #expect(result.wrong == 0, "seed \(seed)")
        #expect(result.afterCancel == 0, "seed \(seed)")
        #expect(trial.origin.wait { $0.totals.openRequests == 0 })
    }

    /// A request for everything, which ends once like any other.
    private static func wait(for loader: ResourceLoader, _ outcome: Locked<Outcome>) {
        outcome.withLock { $0.begun += 1 }
        let isWhole = (try? loader.waitUntilComplete()) != nil
        outcome.withLock { outcome in
            outcome.ended += 1
            if isWhole, loader.status.presentBytes != loader.status.totalBytes {
                outcome.wrong += 1
            }
        }
    }

    private static func read(
        _ loader: ResourceLoader, _ bytes: [UInt8], seed: UInt64, cancels: Bool,
        _ outcome: Locked<Outcome>
    ) {
        var random = SeededRandom(state: seed)
        let reader = loader.reader()
        for step in 0..<4 {
            let offset = Int(random.next() % UInt64(bytes.count))
            if cancels, step == 2 { reader.cancel() }
            outcome.withLock { $0.begun += 1 }
            let got = try? reader.some(5000, at: Int64(offset))
            outcome.withLock { outcome in
                outcome.ended += 1
                guard let got else { return }
                if got.isEmpty || !got.isEqual(to: bytes, at: offset) { outcome.wrong += 1 }
                if cancels, step >= 2 { outcome.afterCancel += 1 }
            }
        }
    }

    @Test("a cancel from another thread ends a read that waits, and only that one's reader")
    func cancels() throws {
        let trial = try LoaderTrial()
        let content = LoaderTrial.content(2_000_000)
        var object = OriginObject(content)
        object.faults.stalls = [OriginStall(at: 1_600_000, times: nil)]
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        let (one, other) = (loader.reader(), loader.reader())
        let ended = Locked<FetchError?>(nil)
        let group = LaneGroup()
        group.start("reader") {
            do throws(FetchError) {
                _ = try one.some(10, at: 1_600_000)
            } catch {
                ended.withLock { $0 = error }
            }
        }
        #expect(try other.all(0..<1_400_000) == content.read(0..<1_400_000))
        one.cancel()
        group.wait()
        #expect(ended.withLock { $0 } == .cancelled)
        #expect(throws: FetchError.cancelled) { try one.some(10, at: 0) }
        trial.origin.release("/a.mp4")
        #expect(try other.everything() == LoaderTrial.bytes(content))
    }

    @Test("a close ends everybody; the next session goes on with what is here")
    func closes() throws {
        let trial = try LoaderTrial()
        let content = LoaderTrial.content(2_000_000)
        var object = OriginObject(content)
        object.faults.stalls = [OriginStall(at: 1_500_000, times: 1)]
        trial.origin.serve("/a.mp4", object)
        let loader = try trial.loader()
        let reader = loader.reader()
        #expect(try reader.all(0..<1_400_000) == content.read(0..<1_400_000))
        loader.close()
        #expect(throws: FetchError.cancelled) { try reader.some(10, at: 0) }
        #expect(throws: FetchError.cancelled) { try loader.information() }
        #expect(trial.logs.withLock { $0.count } == 1)
        let next = try trial.loader()
        #expect(try next.reader().everything() == LoaderTrial.bytes(content))
        #expect(trial.origin.bytesServed("/a.mp4") <= 2_000_000 + BlockMap.blockBytes)
    }

    @Test("two processes share one download, and the second goes on when the first is gone")
    func follows() throws {
        let trial = try LoaderTrial()
        let content = LoaderTrial.content(6_000_000)
        var object = OriginObject(content)
        object.faults.stalls = [OriginStall(at: 5_500_000, times: 1)]
        trial.origin.serve("/a.mp4", object)
        var first: ResourceLoader? = try trial.loader()
        var reader = first?.reader()
        #expect(try reader?.some(10, at: 0) == content.read(0..<10))
        let second = try trial.another().loader(for: trial.origin.url("/a.mp4"))
        let follower = second.reader()
        #expect(try follower.all(0..<3_000_000) == content.read(0..<3_000_000))
        #expect(second.status.originRequests == 0)
        (reader, first) = (nil, nil)
        #expect(try follower.everything() == LoaderTrial.bytes(content))
        #expect(second.status.originRequests > 0)
        #expect(trial.origin.bytesServed("/a.mp4") <= 6_000_000 + 2 * BlockMap.blockBytes)
    }
}
