internal import TakeupJobs
internal import TakeupLanes

/// Jobs that this worker leaves to others for a time, because its own disk could never hold their results.
final class LeftJobs: Sendable {
    /// Then this disk may be another one, in seconds.
    private static let pauseSeconds = 600.0
    /// More are not remembered: a claim names each.
    private static let most = 100

    private let ends = Locked<[JobID: ContinuousClock.Instant]>([:])

    func add(_ id: JobID, at now: ContinuousClock.Instant = .now) {
        ends.withLock { ends in
            ends[id] = now + .seconds(Self.pauseSeconds)
            guard ends.count > Self.most, let first = ends.min(by: { $0.value < $1.value })
            else { return }
            ends[first.key] = nil
        }
    }

    func present(at now: ContinuousClock.Instant = .now) -> [JobID] {
        ends.withLock { ends in
            ends = ends.filter { $0.value > now }
            return ends.keys.sorted { $0.rawValue < $1.rawValue }
        }
    }
}
