internal import Foundation
internal import TakeupJobs
internal import TakeupModel

/// Says that a worker lives, on a lane of its own: housekeeping may wait long, as for a standby or a bucket.
struct VitalSigns {
    private static let intervalSeconds = 0.5
    private static let registerSeconds = 15.0
    /// After a sign that was not given.
    private static let againSeconds = 2.0

    let team: WorkerContext

    func run() {
        var told: WorkerEntry.State?
        var dueAt = ContinuousClock.now
        var phase = team.run.phase
        while phase < .leaving {
            let (now, entry) = (ContinuousClock.now, self.entry)
            if now >= dueAt || told != entry.state {
                let isGiven = register(entry)
                told = entry.state
                dueAt = now + .seconds(isGiven ? Self.registerSeconds : Self.againSeconds)
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
    ///
    /// - Returns: Whether the database has it.
    private func register(_ entry: WorkerEntry) -> Bool {
        team.attempt("telling that this worker lives") {
            if try !team.store.register(entry) { team.end(.databaseTooNew(team.store.name)) }
        }
    }
}
