internal import TakeupJobs
internal import TakeupLanes
internal import TakeupSQL
internal import TakeupTelemetry

/// Whether wake-ups of other processes are heard, so that looks at the queue may be rare.
final class Hearing: Sendable {
    private let state = Locked(false)

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Wakes the lanes when another process tells of work; on a lane and a connection of its own.
struct WakeListener {
    private static let activity = "hearing of new jobs"
    /// Between two looks at whether the worker ends; nothing is sent for it.
    private static let waitSeconds = 0.5
    private static let retrySeconds = 2.0

    let team: WorkerContext

    func run() {
        while team.run.phase < .idle {
            do throws(SQLError) {
                guard let listener = try team.store.wakeUps.listen() else { return }
                team.troubles.end(Self.activity)
                team.hearing.isOn = true
                // What was told before nobody has heard.
                team.run.callLanes()
                while team.run.phase < .idle {
                    if try listener.wait(seconds: Self.waitSeconds) { team.run.callLanes() }
                }
            } catch {
                team.hearing.isOn = false
                if team.troubles.begin(Self.activity, "\(error)") {
                    team.log.record(.warning, "\(Self.activity) failed: \(error)")
                }
                let phase = team.run.phase
                if phase < .idle {
                    team.run.pause(
                        seconds: Self.retrySeconds * Double.random(in: 0.5...1), in: phase)
                }
            }
        }
    }
}
