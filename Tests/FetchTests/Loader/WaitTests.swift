import TakeupLanes
import TestSupport
import Testing

@testable import TakeupFetch

@Suite("Loader and who waits")
struct WaitTests {
    private let content = LoaderTrial.content(600_000)

    private func complete(_ trial: borrowing LoaderTrial) throws -> ResourceLoader {
        trial.origin.serve("/a.mp4", OriginObject(content))
        let loader = try trial.loader()
        try loader.waitUntilComplete()
        #expect(trial.origin.wait { _ in !loader.session.state.withLock { $0.isRunning } })
        return loader
    }

    /// Waits on a thread of its own; what is left of the wait ends with the test.
    private func wait(
        _ loader: ResourceLoader, for goal: ReadWaiter.Goal, _ group: LaneGroup
    ) -> Locked<Bool> {
        let isMet = Locked(false)
        group.start("waiter") {
            let end = FetchSession.monotonicSeconds + 5
            let result: Void? = try? loader.session.wait(for: goal) {
                FetchSession.monotonicSeconds > end
            }
            isMet.withLock { $0 = result != nil }
        }
        return isMet
    }

    @Test("who registered behind the last look of an ending lane is not left")
    func registeredLate() throws {
        let trial = try LoaderTrial()
        let loader = try complete(trial)
        let state = loader.session.state
        // As a lane that has looked for the last time, and says so in a moment.
        state.withLock { ($0.isRunning, $0.isTrusted) = (true, false) }
        let group = LaneGroup()
        let isMet = wait(loader, for: .known, group)
        #expect(trial.origin.wait { _ in !state.withLock { $0.waiters.isEmpty } })
        state.withLock { ($0.isRunning, $0.isTrusted) = (false, true) }
        group.wait()
        #expect(isMet.withLock { $0 })
    }

    @Test("a session that ended with somebody left starts again")
    func leftUnmet() throws {
        let trial = try LoaderTrial()
        let loader = try complete(trial)
        let state = loader.session.state
        try loader.session.discard()
        state.withLock { $0.isRunning = true }
        let group = LaneGroup()
        let isMet = wait(loader, for: .whole, group)
        #expect(trial.origin.wait { _ in !state.withLock { $0.waiters.isEmpty } })
        state.withLock { $0.isRunning = false }
        group.wait()
        #expect(isMet.withLock { $0 })
        #expect(try loader.reader().everything() == LoaderTrial.bytes(content))
    }

    @Test("a lane ends by what is here when it ends")
    func endsByNow() throws {
        let trial = try LoaderTrial()
        let loader = try complete(trial)
        let (session, file) = (loader.session, loader.session.file)
        session.state.withLock { $0.isRunning = true }
        // A reader has found a block to be wrong, and waits for it.
        file.state.withLock { $0.map.drop(0) }
        let waiter = ReadWaiter(.byte(0))
        try session.register(waiter)
        #expect(session.nextStep(hasVersion: true) == .fetch(from: 0, to: BlockMap.blockBytes))
        session.forget(waiter)
        #expect(session.nextStep(hasVersion: true) == .end)
        #expect(session.state.withLock { !$0.isRunning })
    }
}
