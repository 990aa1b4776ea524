internal import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry

/// Ends in time what may go on no longer: jobs when the time of a drain is over, jobs whose leases nobody could renew, and
/// the worker whose database file is gone.
///
/// On a lane of its own, which asks no server: that may not answer.
struct WorkDeadlines {
    private static let intervalSeconds = 0.5
    /// A file may be without its name for a moment, as while it is put back.
    private static let missingSeconds = 5.0

    let team: WorkerContext

    func run() {
        let leaseSeconds = team.configuration.leaseSeconds
        var steadiness = Steadiness(leaseSeconds: leaseSeconds)
        let began = ContinuousClock.now
        var inPlaceAt = began
        var drainEnd: ContinuousClock.Instant?
        var phase = team.run.phase
        while phase < .leaving {
            let now = ContinuousClock.now
            if phase == .draining {
                let end = drainEnd ?? now + .seconds(team.configuration.drainSeconds)
                drainEnd = end
                if now >= end { team.stop() }
            }
            // A renewal that hangs fails nowhere: a connection finds out within some 30 s that its server is away, and is
            // opened again. After a pause of the process it is given its time.
            _ = steadiness.look(wall: (now - began) / .seconds(1), at: now)
            if steadiness.judges(at: now), team.pulse.secondsSinceBeat >= leaseSeconds * 1.5 {
                for hold in team.book.all { hold.miss(at: now) }
            }
            if team.store.isInPlace { inPlaceAt = now }
            if now - inPlaceAt > .seconds(Self.missingSeconds), team.run.failure == nil { leave() }
            team.run.pause(seconds: Self.intervalSeconds, in: phase)
            phase = team.run.phase
        }
    }

    /// Ends the worker whose database file was removed or replaced: what it writes there nobody ever reads.
    private func leave() {
        let failure = Failure.databaseGone(team.store.name)
        team.run.fail(failure)
        team.log.record(.error, failure.message)
        team.stop()
    }
}
