internal import Foundation
internal import TakeupLanes

/// Whether a worker works, drains or stops, and a bell for those who wait.
final class RunState: Sendable {
    enum Phase: Int, Sendable, Comparable {
        /// `idle`: no lane works any more.
        case working, draining, stopping, idle, ended

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var phase = Phase.working
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())
    private let bell = NSCondition()

    var phase: Phase { state.withLock { $0.phase } }

    /// Moves on to a later phase and wakes all who wait.
    func advance(to phase: Phase) {
        let done = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.phase = max(state.phase, phase)
            guard state.phase == .ended else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        bell.lock()
        bell.broadcast()
        bell.unlock()
        for continuation in done { continuation.resume() }
    }

    /// Blocks for so long, or until the phase is another one than the caller has seen.
    func pause(seconds: Double, in seen: Phase) {
        let end = Date(timeIntervalSinceNow: seconds)
        bell.lock()
        defer { bell.unlock() }
        while phase == seen, bell.wait(until: end) {}
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
