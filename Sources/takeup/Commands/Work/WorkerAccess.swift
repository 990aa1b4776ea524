import TakeupCache
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupTelemetry
import TakeupWorker

/// The worker of this process as commands use it; tests bring one that acts as they need.
struct WorkerAccess: Sendable {
    /// Claims jobs from now on, on threads of its own.
    var start: @Sendable () -> Void
    /// Everything that happens from now on; ends with the worker.
    var events: @Sendable () -> AsyncStream<WorkerEvent>
    /// Claims nothing more and lets running jobs end, for a time.
    var drain: @Sendable () -> Void
    /// Gives running jobs back at once.
    var stop: @Sendable () -> Void
    /// Returns once nothing runs any more.
    var finished: @Sendable () async -> Void
    /// Starts nothing more for a reason, and gives running jobs back if that is asked for.
    var suspend: @Sendable (_ reason: String, _ returnsRunning: Bool) -> Void = { _, _ in }
    /// Starts jobs again.
    var resume: @Sendable () -> Void = {}
    /// Whether all its lanes look at the queue.
    var isClaiming: @Sendable () -> Bool = { true }
    /// Whether none of them has been stuck for so many seconds.
    var isAlive: @Sendable (Double) -> Bool = { _ in true }
    var figures: @Sendable () -> WorkerFigures = { WorkerFigures() }
    /// For scratch files of whatever else this process does; nil for the system's own.
    var scratch: String?
}

extension WorkerAccess {
    private init(_ worker: Worker) {
        self.init(
            start: { worker.start() }, events: { worker.events() }, drain: { worker.drain() },
            stop: { worker.stop() }, finished: { await worker.finished() },
            suspend: { worker.suspend(because: $0, returnsRunning: $1) },
            resume: { worker.resume() }, isClaiming: { worker.isClaiming },
            isAlive: { worker.isAlive(withinSeconds: $0) }, figures: { worker.figures },
            scratch: worker.scratchFolder)
    }

    /// Opens the queue and the cache of a machine for a worker, and makes them when there are none.
    init(at places: StatePlaces, _ options: WorkerOptions, log: Log) throws(Failure) {
        try places.makeHome()
        var configuration = options.configuration(at: places)
        configuration.sources = try options.network.library(
            at: places, clock: WallClock.now, log: log)
        self.init(try places.openWorker(configuration, limits: options.limits, log: log))
    }
}
