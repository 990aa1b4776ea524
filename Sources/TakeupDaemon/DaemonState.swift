internal import TakeupJobs
internal import TakeupLanes
internal import TakeupWorker

/// What is known of a daemon's parts: written by them, read by the lanes that tell the world.
final class DaemonState: Sendable {
    private struct State {
        var worker: WorkerAccess?
        var queue: QueueAccess?
        var gauges: [WatchGauge] = []
        /// Whether everything that has to be there before work begins is known here.
        var isArmed = false
        var isReady = false
        var isStopping = false
        var depth: QueueDepth?
        var hasQueueFailed = false
        var schedule: WorkSchedule?
    }

    private let state: Locked<State>

    init(_ schedule: WorkSchedule?) {
        state = Locked(State(schedule: schedule))
    }

    func attach(_ worker: WorkerAccess, _ queue: QueueAccess) {
        state.withLock { ($0.worker, $0.queue) = (worker, queue) }
    }

    /// Takes the folders that are watched from now on, all at once: those before hold until then.
    func set(_ gauges: [WatchGauge]) { state.withLock { $0.gauges = gauges } }

    func arm() { state.withLock { $0.isArmed = true } }

    func stop() { state.withLock { $0.isStopping = true } }

    /// Takes what the queue has answered; nil when it could not be asked.
    func set(_ depth: QueueDepth?) {
        state.withLock { ($0.depth, $0.hasQueueFailed) = (depth, depth == nil) }
    }

    var worker: WorkerAccess? { state.withLock { $0.worker } }
    var queue: QueueAccess? { state.withLock { $0.queue } }
    var gauges: [WatchGauge] { state.withLock { $0.gauges } }

    /// Why no output may be written now, with the first folder that is missing; nil when all that are for outputs are there.
    var missingOutput: String? {
        for gauge in gauges {
            if let reason = gauge.missingOutput {
                return "\(gauge.output ?? gauge.folder): \(reason)"
            }
        }
        return nil
    }

    var schedule: WorkSchedule? { state.withLock { $0.schedule } }

    /// Puts a question to the schedule, which may change by it.
    func ask<Answer: Sendable>(_ question: (inout WorkSchedule) -> Answer?) -> Answer? {
        state.withLock { state in
            guard var schedule = state.schedule else { return nil }
            let answer = question(&schedule)
            state.schedule = schedule
            return answer
        }
    }

    /// What the service manager's messages are made from.
    ///
    /// - Parameters:
    ///   - now: Of the clock that the gauges go by.
    ///   - seconds: How recent a sign of life of the lanes that claim has to be.
    /// - Returns: As it is now; once ready, it stays so.
    func facts(now: Double, aliveSeconds seconds: Double) -> ServiceLife.Facts {
        let known = state.withLock { $0 }
        var facts = ServiceLife.Facts()
        let isClaiming = known.worker?.isClaiming() ?? false
        facts.isReady =
            known.isReady
            || known.isArmed && isClaiming && known.gauges.allSatisfy { $0.isArmed(now: now) }
        // Before the first look nothing can be stuck in it; folders are left as they are at the end.
        let isWorkerAlive = !isClaiming || known.worker?.isAlive(seconds) ?? true
        let areFoldersAlive = known.isStopping || known.gauges.allSatisfy { $0.isAlive(now: now) }
        facts.isAlive = isWorkerAlive && areFoldersAlive
        if facts.isReady { state.withLock { $0.isReady = true } }
        facts.status = status(known, isReady: facts.isReady).text
        return facts
    }

    private func status(_ known: State, isReady: Bool) -> ServiceStatus {
        ServiceStatus(
            isReady: isReady, isStopping: known.isStopping,
            running: known.worker?.figures().running ?? 0, depth: known.depth,
            hasQueueFailed: known.hasQueueFailed,
            closed: known.schedule?.reason, folders: known.gauges.map(\.figures))
    }
}
