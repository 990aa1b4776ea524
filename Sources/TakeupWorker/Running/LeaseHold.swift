internal import TakeupJobs
internal import TakeupLanes
internal import TakeupTelemetry

/// A lease that this worker holds, between the lane that works and the lane that renews.
final class LeaseHold: Sendable {
    /// Why the work shall stop.
    enum Stop: Sendable {
        case leaseLost, cancelled, workerStops
    }

    private struct State {
        var stop: Stop? {
            didSet { if oldValue == nil { stoppedAt = .now } }
        }
        /// When it was first asked to stop.
        var stoppedAt: SuspendingClock.Instant?
        var progress: JobProgress?
        var isProgressNew = false
        var isEnding = false
        var renewedAt: ContinuousClock.Instant
    }

    let lease: Lease
    /// Which try it is, from 1; an interruption is none.
    let attempt: Int
    private let leaseSeconds: Double
    private let state: Locked<State>

    /// Counts from before the claim was asked for, so that no time is counted that the store did not give.
    init(
        _ lease: Lease, attempt: Int, leaseSeconds: Double, claimedAt: ContinuousClock.Instant
    ) {
        (self.lease, self.attempt, self.leaseSeconds) = (lease, attempt, leaseSeconds)
        state = Locked(State(renewedAt: claimedAt))
    }

    /// What every log line about the job carries.
    var fields: [LogField] { Self.fields(lease, attempt: attempt) }

    static func fields(_ lease: Lease, attempt: Int) -> [LogField] {
        [
            LogField("job", lease.job.rawValue), LogField("attempt", attempt),
            LogField("token", lease.token),
        ]
    }

    /// The first reason to stop; nil while there is none.
    ///
    /// A worker that could not renew for a whole lease has lost it, whatever the store says later.
    var stop: Stop? {
        state.withLock { state in
            if state.stop == nil, age(state) >= leaseSeconds { state.stop = .leaseLost }
            return state.stop
        }
    }

    /// How long ago its work was first asked to stop, in seconds; nil when nobody did.
    var secondsSinceStop: Double? {
        state.withLock { state in
            state.stoppedAt.map { (SuspendingClock.now - $0) / .seconds(1) }
        }
    }

    /// Whether something may still be made visible: the last renewal is younger than two thirds of a lease.
    var mayPublish: Bool {
        state.withLock { $0.stop == nil && age($0) < leaseSeconds * 2 / 3 }
    }

    private func age(_ state: State) -> Double {
        (ContinuousClock.now - state.renewedAt) / .seconds(1)
    }

    func ask(_ reason: Stop) {
        state.withLock { if $0.stop == nil { $0.stop = reason } }
    }

    /// Says that its job is about to be finished, after which a renewal finds nothing.
    func beginEnding() {
        state.withLock { $0.isEnding = true }
    }

    var isEnding: Bool { state.withLock { $0.isEnding } }

    func note(_ progress: JobProgress) {
        state.withLock { ($0.progress, $0.isProgressNew) = (progress, true) }
    }

    /// What the next heartbeat says.
    func beat() -> Heartbeat {
        state.withLock { state in
            defer { state.isProgressNew = false }
            return Heartbeat(lease, progress: state.isProgressNew ? state.progress : nil)
        }
    }

    /// Notes what a heartbeat was answered, which counts from when it was sent.
    func take(_ renewal: Renewal, sentAt: ContinuousClock.Instant) {
        switch renewal {
        case .kept: state.withLock { $0.renewedAt = sentAt }
        case .cancelRequested:
            state.withLock { $0.renewedAt = sentAt }
            ask(.cancelled)
        case .lost: ask(.leaseLost)
        }
    }
}
