internal import TakeupLanes

/// When the lanes of a worker look at the queue: one of them for all, now and then, and at once where one was told of work.
final class QueueLook: Sendable {
    /// How long the other lanes wait for one that looks, in seconds.
    private static let lookSeconds = 5.0

    private struct State {
        var next: ContinuousClock.Instant
        var calls = -1
    }

    private let state = Locked(State(next: .now))

    /// Returns true if the lane that asks may look now; `calls` is how often the lanes were called so far.
    func begins(at now: ContinuousClock.Instant, calls: Int) -> Bool {
        state.withLock { state in
            guard state.calls != calls || now >= state.next else { return false }
            (state.calls, state.next) = (calls, now + .seconds(Self.lookSeconds))
            return true
        }
    }

    /// There may be more where a job was.
    func foundJob(at now: ContinuousClock.Instant) { state.withLock { $0.next = now } }

    /// Nobody has to look for so long.
    func foundNone(at now: ContinuousClock.Instant, seconds: Double) {
        state.withLock { $0.next = now + .seconds(seconds) }
    }

    func secondsToLook(at now: ContinuousClock.Instant) -> Double {
        state.withLock { max(0, ($0.next - now) / .seconds(1)) }
    }
}
