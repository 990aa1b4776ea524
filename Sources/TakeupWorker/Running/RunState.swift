internal import TakeupLanes
internal import TakeupModel

/// Whether a worker works, drains or stops, and a bell for those who wait.
final class RunState: Sendable {
    enum Phase: Int, Sendable, Comparable {
        /// `idle`: no lane works any more; `leaving`: no housekeeping either.
        case working, draining, stopping, idle, leaving, ended

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var phase = Phase.working
        var isSuspended = false
        var failure: Failure?
        var waiting: [CheckedContinuation<Void, Never>] = []
        var bells: [Bell] = []
        var workBells: [Bell] = []
        var calls = 0
    }

    private let state = Locked(State())

    var phase: Phase { state.withLock { $0.phase } }

    /// Why the worker cannot go on; nil while it can.
    var failure: Failure? { state.withLock { $0.failure } }

    func fail(_ failure: Failure) { state.withLock { $0.failure = $0.failure ?? failure } }

    /// Whether nothing may be started, though the lanes work.
    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// - Returns: Whether it was otherwise before.
    func setSuspended(_ isSuspended: Bool) -> Bool {
        state.withLock { state in
            defer { state.isSuspended = isSuspended }
            return state.isSuspended != isSuspended
        }
    }

    /// Moves on to a later phase and wakes all who wait.
    func advance(to phase: Phase) {
        let (done, bells) = state.withLock { state in
            state.phase = max(state.phase, phase)
            let done = state.phase == .ended ? state.waiting : []
            if state.phase == .ended { state.waiting = [] }
            return (done, state.bells + state.workBells)
        }
        for bell in bells { bell.ring() }
        for continuation in done { continuation.resume() }
    }

    /// Blocks for so long, or until the phase is another one than the caller has seen.
    func pause(seconds: Double, in seen: Phase) {
        let bell = Bell()
        let mayPause = state.withLock { state in
            guard state.phase == seen else { return false }
            state.bells.append(bell)
            return true
        }
        guard mayPause else { return }
        bell.wait(seconds: seconds)
        state.withLock { $0.bells.removeAll { $0 === bell } }
    }

    /// Rises with every `callLanes`.
    var calls: Int { state.withLock { $0.calls } }

    /// Wakes the lanes that wait for work.
    func callLanes() {
        let bells = state.withLock { state in
            state.calls += 1
            return state.workBells
        }
        for bell in bells { bell.ring() }
    }

    /// Blocks for so long, or until there may be work, or the worker drains.
    ///
    /// - Parameters:
    ///   - seconds: At most.
    ///   - seen: The `calls` that the caller knows of.
    func awaitWork(seconds: Double, after seen: Int) {
        let bell = Bell()
        let mayWait = state.withLock { state in
            guard state.phase == .working, state.calls == seen else { return false }
            state.workBells.append(bell)
            return true
        }
        guard mayWait else { return }
        bell.wait(seconds: seconds)
        state.withLock { $0.workBells.removeAll { $0 === bell } }
    }

    /// Returns once the phase is `ended`.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state in
                guard state.phase != .ended else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isEnded { continuation.resume() }
        }
    }
}
