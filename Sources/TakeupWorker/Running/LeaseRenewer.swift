internal import TakeupJobs
internal import TakeupTelemetry

/// Renews every lease of a worker, on a lane and a connection of its own.
struct LeaseRenewer {
    private static let activity = "renewing leases"

    let team: WorkerContext

    /// Often enough too for a cancelled job to stop within two seconds.
    private var seconds: Double { min(0.5, team.configuration.leaseSeconds / 4) }

    /// Beats until every lane has ended: what is being finished is still held.
    func run() {
        var phase = team.run.phase
        while phase < .idle {
            beat()
            team.pulse.beat()
            team.run.pause(seconds: seconds, in: phase)
            phase = team.run.phase
        }
    }

    private func beat() {
        let holds = team.book.all
        let sentAt = ContinuousClock.now
        for hold in holds { hold.checkTime(at: sentAt) }
        do throws(JobStoreError) {
            let answers = try team.store.renew(
                holds.map { $0.beat() }, leaseSeconds: team.configuration.leaseSeconds)
            team.troubles.end(Self.activity)
            for (hold, answer) in zip(holds, answers) {
                if answer == .lost, !hold.isEnding {
                    team.log.record(.warning, "lost its lease", hold.fields)
                }
                hold.take(answer, sentAt: sentAt)
            }
        } catch {
            for hold in holds { hold.miss(at: .now) }
            guard team.troubles.begin(Self.activity, "\(error)") else { return }
            team.log.record(
                error.isUnreachable ? .warning : .error, "\(Self.activity) failed: \(error)")
        }
    }
}
