internal import Foundation
internal import TakeupJobs
internal import TakeupModel
internal import TakeupTelemetry

/// Says that a worker lives, and stops its jobs when the time of a drain is over, on a lane of its own: housekeeping may
/// wait long, as for a standby or a bucket.
struct VitalSigns {
    private static let intervalSeconds = 0.5
    private static let registerSeconds = 15.0
    /// A file may be without its name for a moment, as while it is put back.
    private static let missingSeconds = 5.0

    let team: WorkerContext

    func run() {
        var registered: (entry: WorkerEntry, at: ContinuousClock.Instant)?
        var inPlaceAt = ContinuousClock.now
        var drainEnd: ContinuousClock.Instant?
        var phase = team.run.phase
        while phase < .leaving {
            let now = ContinuousClock.now
            if team.store.isInPlace { inPlaceAt = now }
            if now - inPlaceAt > .seconds(Self.missingSeconds), team.run.failure == nil { leave() }
            if phase == .draining {
                let end = drainEnd ?? now + .seconds(team.configuration.drainSeconds)
                drainEnd = end
                if now >= end { team.stop() }
            }
            let entry = self.entry
            let age = registered.map { (now - $0.at) / .seconds(1) } ?? .infinity
            if registered?.entry.state != entry.state || age >= Self.registerSeconds {
                registered = (entry, now)
                register(entry)
            }
            team.run.pause(seconds: Self.intervalSeconds, in: phase)
            phase = team.run.phase
        }
    }

    /// What the register says of this worker.
    private var entry: WorkerEntry {
        let state: WorkerEntry.State =
            team.run.phase > .working ? .draining : team.run.isSuspended ? .paused : .working
        return WorkerEntry(
            id: team.presence.id, host: ProcessInfo.processInfo.hostName, process: Int(getpid()),
            version: ProgramVersion.current, state: state, lanes: team.configuration.lanes,
            running: team.book.count, scope: team.configuration.scope)
    }

    /// Gives a sign of life, and ends the worker where a later version has taken the database over.
    private func register(_ entry: WorkerEntry) {
        team.attempt("telling that this worker lives") {
            if try !team.store.register(entry) { team.end(.databaseTooNew(team.store.name)) }
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
