import Foundation
import TakeupLanes
import Testing

@Suite("Lane")
struct LaneTests {
    private struct Refusal: Error, Equatable {}

    /// Runs on a lane of its own.
    private actor Resident {
        private let lane = Lane("test.resident")
        nonisolated var unownedExecutor: UnownedSerialExecutor { lane.asUnownedSerialExecutor() }
        private var count = 0

        func add() -> Int {
            lane.checkIsolated()
            count += 1
            return count
        }
    }

    @Test("runs work one after the other, in the order that it came")
    func serial() async throws {
        let lane = Lane("test.serial")
        let order = Locked<[Int]>([])
        for number in 0..<100 { lane.start { order.withLock { $0.append(number) } } }
        let last = try await lane.run { order.withLock { $0.count } }
        #expect(last == 100)
        #expect(order.withLock { $0 } == Array(0..<100))
    }

    @Test("passes on what the work returns or throws")
    func outcomes() async throws {
        let lane = Lane("test.outcomes")
        #expect(try await lane.run { 6 * 7 } == 42)
        await #expect(throws: Refusal()) { try await lane.run { throw Refusal() } }
    }

    @Test("draining waits for what was started before, and for nothing on the lane itself")
    func drain() async throws {
        let lane = Lane("test.drain")
        lane.drain()
        let done = Locked(0)
        for _ in 0..<3 {
            lane.start {
                lane.drain()
                Thread.sleep(forTimeInterval: 0.01)
                done.withLock { $0 += 1 }
            }
        }
        lane.drain()
        #expect(done.withLock { $0 } == 3)
    }

    @Test("blocked lanes do not stop others, however many they are")
    func independent() async throws {
        let gate = DispatchSemaphore(value: 0)
        let blocked = (0..<300).map { Lane("test.blocked.\($0)") }
        for lane in blocked { lane.start { gate.wait() } }
        #expect(try await Lane("test.free").run { true })
        for _ in blocked { gate.signal() }
        for lane in blocked { try await lane.run {} }
    }

    @Test("an actor can live on a lane")
    func executor() async {
        let resident = Resident()
        var last = 0
        for _ in 0..<50 { last = await resident.add() }
        #expect(last == 50)
    }

    @Test("a group waits for all its work, each piece on a lane of its own")
    func group() {
        let group = LaneGroup()
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = Locked<[String]>([])
        // Each needs the other to run at the same time.
        group.start("test.first") {
            first.signal()
            second.wait()
            order.withLock { $0.append("one") }
        }
        group.start("test.second") {
            second.signal()
            first.wait()
            order.withLock { $0.append("other") }
        }
        group.wait()
        #expect(order.withLock { Set($0) } == ["one", "other"])
        LaneGroup().wait()
    }

    @Test("a cancellation stays set and is seen from everywhere")
    func cancellation() async throws {
        let cancellation = Cancellation()
        #expect(!cancellation.isCancelled)
        cancellation.cancel()
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        #expect(try await Lane("test.cancelled").run { cancellation.isCancelled })
    }

    @Test("a lock keeps concurrent changes apart and passes errors on")
    func locked() {
        let total = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 1000) { _ in total.withLock { $0 += 1 } }
        #expect(total.withLock { $0 } == 1000)
        #expect(throws: Refusal()) {
            try total.withLock { (_: inout Int) throws(Refusal) in throw Refusal() }
        }
        #expect(total.withLock { $0 } == 1000)
    }
}
