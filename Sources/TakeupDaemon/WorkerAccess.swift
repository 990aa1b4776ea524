package import TakeupFetch
package import TakeupJobs
package import TakeupModel
package import TakeupWorker

/// The worker of this process as commands use it; tests bring one that acts as they need.
package struct WorkerAccess: Sendable {
    /// Claims jobs from now on, on threads of its own.
    package var start: @Sendable () -> Void
    /// Everything that happens from now on; ends with the worker.
    package var events: @Sendable () -> AsyncStream<WorkerEvent>
    /// Claims nothing more and lets running jobs end, for a time.
    package var drain: @Sendable () -> Void
    /// Gives running jobs back at once.
    package var stop: @Sendable () -> Void
    /// Returns once nothing runs any more.
    package var finished: @Sendable () async -> Void
    /// Starts nothing more for a reason, and gives running jobs back if that is asked for.
    package var suspend: @Sendable (_ reason: String, _ returnsRunning: Bool) -> Void = { _, _ in }
    /// Starts jobs again.
    package var resume: @Sendable () -> Void = {}
    /// Whether all its lanes look at the queue.
    package var isClaiming: @Sendable () -> Bool = { true }
    /// Whether none of them has been stuck for so many seconds.
    package var isAlive: @Sendable (Double) -> Bool = { _ in true }
    package var figures: @Sendable () -> WorkerFigures = { WorkerFigures() }
    /// Jobs that it leaves to other workers, because its own disk could never hold their results.
    package var leftJobs: @Sendable () -> [JobID] = { [] }
    /// Why it has ended by itself.
    package var failure: @Sendable () -> Failure? = { nil }
    /// For scratch files of whatever else this process does; nil for the system's own.
    package var scratch: String?
    /// The sources that it fetches and keeps; nil where it has none of its own.
    package var sources: SourceLibrary?
}

extension WorkerAccess {
    package init(
        start: @escaping @Sendable () -> Void,
        events: @escaping @Sendable () -> AsyncStream<WorkerEvent>,
        drain: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void,
        finished: @escaping @Sendable () async -> Void
    ) {
        self.init(
            start: start, events: events, drain: drain, stop: stop, finished: finished,
            suspend: { _, _ in })
    }
}
