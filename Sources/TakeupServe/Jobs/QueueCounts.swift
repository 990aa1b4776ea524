internal import TakeupJobs
internal import TakeupLanes
internal import TakeupModel

/// How many jobs are in each state; asked for anew only so often that it takes a small part of the time.
final class QueueCounts: Sendable {
    /// How many times as long as an answer took it holds.
    private static let factor = 20.0

    private struct State {
        var counts: [JobState: Int]?
        var dueAt = -Double.infinity
    }

    private let queue: QueueAccess
    private let now: @Sendable () -> Double
    private let state = Locked(State())

    init(_ queue: QueueAccess, now: @escaping @Sendable () -> Double) {
        (self.queue, self.now) = (queue, now)
    }

    /// What waits and runs is known anew each time; what has ended may be a little old.
    func counts() throws(Failure) -> [JobState: Int] {
        let began = now()
        let known = state.withLock { state in began < state.dueAt ? state.counts : nil }
        var counts: [JobState: Int]
        if let known {
            counts = known
            let depth = try queue.depth()
            counts[.queued] = depth.queued
            counts[.scheduled] = depth.scheduled
            counts[.running] = depth.running
        } else {
            counts = try queue.counts()
            let ended = now()
            state.withLock { state in
                state.counts = counts
                state.dueAt = ended + Self.factor * (ended - began)
            }
        }
        return counts
    }
}
