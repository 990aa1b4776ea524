internal import Foundation
internal import TakeupJobs
internal import TakeupLanes
internal import TakeupTelemetry

/// A lease that this worker holds, between the lane that works and the lane that renews.
final class LeaseHold: Sendable {
    /// Why the work shall stop.
    enum Stop: Sendable {
        case leaseLost, cancelled, workerStops, timedOut
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
        /// How many calls to the queue or the cache are under way.
        var calls = 0
        var renewedAt: ContinuousClock.Instant
        /// Whether the last renewal met a lock on the job.
        var isLocked = false
    }

    let lease: Lease
    /// Which try it is, from 1; an interruption is none.
    let attempt: Int
    private let leaseSeconds: Double
    /// When its time is over; nil for a job that may take as long as it likes.
    private let deadline: ContinuousClock.Instant?
    private let state: Locked<State>

    /// Counts from before the claim was asked for, so that no time is counted that the store did not give.
    init(
        _ lease: Lease, attempt: Int, leaseSeconds: Double, claimedAt: ContinuousClock.Instant,
        timeoutSeconds: Double? = nil
    ) {
        (self.lease, self.attempt, self.leaseSeconds) = (lease, attempt, leaseSeconds)
        deadline = timeoutSeconds.map { claimedAt + .seconds(min($0, 1e9)) }
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
    var stop: Stop? { state.withLock { $0.stop } }

    /// Notes that a renewal was tried and failed or hangs, or met a lock twice in a row: a worker that could not renew for a whole
    /// lease has lost it, whatever the store says later.
    ///
    /// One that was only paused for as long asks first: nobody may have taken its job meanwhile.
    func miss(at instant: ContinuousClock.Instant) {
        state.withLock { state in
            if state.stop == nil, age(state, at: instant) >= leaseSeconds {
                state.stop = .leaseLost
            }
        }
    }

    /// Stops the work once its time is over; what is being finished may end.
    func checkTime(at instant: ContinuousClock.Instant) {
        guard let deadline, instant >= deadline, !isEnding else { return }
        ask(.timedOut)
    }

    /// How long ago its work was first asked to stop, in seconds; nil when nobody did.
    var secondsSinceStop: Double? {
        state.withLock { state in
            state.stoppedAt.map { (SuspendingClock.now - $0) / .seconds(1) }
        }
    }

    /// Whether something may still be made visible: the last renewal is younger than two thirds of a lease.
    func mayPublish(at instant: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { $0.stop == nil && age($0, at: instant) < leaseSeconds * 2 / 3 }
    }

    /// Waits for a renewal where the last one is too old; blocks.
    ///
    /// - Returns: Whether something may be made visible; not once the work is stopped.
    func awaitPublishing() -> Bool {
        while stop == nil {
            if mayPublish() { return true }
            usleep(Self.lookMicroseconds)
        }
        return false
    }

    /// Between two looks at whether a renewal has come.
    private static let lookMicroseconds: UInt32 = 20_000

    private func age(_ state: State, at instant: ContinuousClock.Instant) -> Double {
        (instant - state.renewedAt) / .seconds(1)
    }

    func ask(_ reason: Stop) {
        state.withLock { if $0.stop == nil { $0.stop = reason } }
    }

    /// Says that its job is about to be finished, after which a renewal finds nothing.
    func beginEnding() {
        state.withLock { $0.isEnding = true }
    }

    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// Whether the work waits for the queue or the cache, whose database may wait long for a standby.
    var isAsking: Bool { state.withLock { $0.isEnding || $0.calls > 0 } }

    /// Calls the queue or the cache.
    func asking<Value, Problem>(
        _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        state.withLock { $0.calls += 1 }
        defer { state.withLock { $0.calls -= 1 } }
        return try body()
    }

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
        case .kept: state.withLock { ($0.renewedAt, $0.isLocked) = (sentAt, false) }
        case .cancelRequested:
            state.withLock { ($0.renewedAt, $0.isLocked) = (sentAt, false) }
            ask(.cancelled)
        case .locked:
            // One lock says nothing: after a pause of the process this may be the first renewal that was tried.
            let wasLocked = state.withLock { state in
                defer { state.isLocked = true }
                return state.isLocked
            }
            if wasLocked { miss(at: sentAt) }
        case .lost: ask(.leaseLost)
        }
    }
}
