import TakeupCache
import TakeupDaemon
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupTelemetry
import TakeupWorker

extension WorkerAccess {
    private init(_ worker: Worker) {
        self.init(
            start: { worker.start() }, events: { worker.events() }, drain: { worker.drain() },
            stop: { worker.stop() }, finished: { await worker.finished() })
        suspend = { worker.suspend(because: $0, returnsRunning: $1) }
        resume = { worker.resume() }
        isClaiming = { worker.isClaiming }
        isAlive = { worker.isAlive(withinSeconds: $0) }
        figures = { worker.figures }
        leftJobs = { worker.leftJobs }
        failure = { worker.failure }
        scratch = worker.scratchFolder
    }

    /// Opens the queue and the cache of a machine for a worker, and makes them when there are none.
    init(at places: StatePlaces, _ options: WorkerOptions, log: Log) throws(Failure) {
        try places.makeHome()
        var configuration = options.configuration(at: places)
        configuration.sources = try options.network.library(
            at: places, clock: WallClock.now, log: log)
        self.init(try places.openWorker(configuration, limits: options.limits, log: log))
        sources = configuration.sources
    }
}
