internal import Foundation
internal import TakeupCache
internal import TakeupJobs
internal import TakeupTelemetry

/// What the lanes of one worker share.
struct Team: Sendable {
    /// Seconds after which a pause for want of room ends in any case, so that jobs which need less get their turn.
    private static let longestPause = 10.0

    let store: SQLiteJobStore
    let cache: MediaCache
    let configuration: WorkerConfiguration
    let presence: WorkerPresence
    let logs: JobLogs
    let log: Log
    let run = RunState()
    let book = LeaseBook()
    let gate = SpaceGate()
    let events = EventBroadcast()
    let pulse = LanePulse()
    let tally = WorkTally()

    /// The processors are shared by the lanes that work, or will when others wait.
    func threadsForOneMore() -> Int {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let waiting = (try? store.secondsToNext()).flatMap { $0 } == 0
        let lanes = waiting ? configuration.lanes : max(1, book.count)
        return max(1, cores / lanes)
    }

    /// Stops running jobs, which are given back.
    func stop() {
        run.advance(to: .stopping)
        book.stopAll()
    }

    /// Starts nothing more until `resume`.
    func suspend(because reason: String, returnsRunning: Bool) {
        let isNew = run.setSuspended(true)
        // After the flag: a lane that claims meanwhile sees it, and gives its job back.
        if returnsRunning { book.stopPresent() }
        guard isNew else { return }
        log.record(.info, "nothing is started: \(reason)")
        events.send(.paused(reason: reason))
    }

    func resume() {
        guard run.setSuspended(false) else { return }
        log.record(.info, "resumed")
        events.send(.resumed)
    }

    func closeGate(_ path: String, _ needBytes: Int64) {
        guard
            gate.close(
                SpaceGate.Need(
                    folder: path, bytes: needBytes, until: .now + .seconds(Self.longestPause)))
        else { return }
        let reason = "\(path) has no room for \(needBytes) bytes more"
        log.record(.warning, "paused: \(reason)")
        events.send(.paused(reason: reason))
    }

    func openGate() {
        guard gate.open() else { return }
        log.record(.info, "resumed")
        events.send(.resumed)
    }
}
