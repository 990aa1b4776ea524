import TakeupDaemon
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupTelemetry
import TakeupWorker

/// Works on the queue in this process until it is stopped, beside whatever else a command runs there.
struct WorkerRun: Sendable {
    /// What is open once the worker is, before it claims anything.
    struct Parts: Sendable {
        let places: StatePlaces
        let queue: QueueAccess
        let worker: WorkerAccess
        let daemon: Daemon
        let log: Log
        let context: CommandContext
    }

    /// What a command runs beside the worker.
    struct Companion: Sendable {
        /// Says that everything runs.
        var ready: @Sendable () -> Void
        /// At the first signal; running jobs may go on for so long.
        var drain: @Sendable () -> Void = {}
        /// At the second signal.
        var stop: @Sendable () -> Void = {}
        /// Returns once nothing of it runs any more; called when the worker has ended.
        var finished: @Sendable () async -> Void = {}
    }

    private let options: WorkerOptions
    private let style: OutputStyle
    /// Whether jobs are done here; else only the companion runs.
    private let worksHere: Bool

    init(_ options: WorkerOptions, _ style: OutputStyle, worksHere: Bool = true) {
        (self.options, self.style, self.worksHere) = (options, style, worksHere)
    }

    /// Opens the stores and the worker, has `begin` add what else the command needs, and runs until all of it has ended.
    func perform(
        in outer: CommandContext,
        _ begin: @escaping @Sendable (Parts) throws(Failure) -> Companion
    ) async throws(Failure) -> ExitCode {
        let live = LiveLines(outer, isQuiet: style.isQuiet || style.isJSON)
        defer { live.close() }
        let context = outer.writing(to: live)
        let places = try options.places(in: context)
        let log = WorkerLog(context, style).lines
        Interrupts.overlook(hangUp: !context.terminal.diagnosticsIsTerminal)
        let daemon = Daemon(options, places, log, in: context)
        return try await daemon.run { () async throws(Failure) in
            if worksHere, let warning = try options.sandboxWarning(at: places) {
                log.record(.warning, warning)
            }
            try places.requireCache()
            let queue = try context.openQueue(places)
            let worker =
                worksHere ? try context.openWorker(places, options, log) : WorkerAccess.idle()
            let parts = Parts(
                places: places, queue: queue, worker: worker, daemon: daemon, log: log,
                context: context)
            return try await run(parts, live, begin)
        }
    }

    private func run(
        _ parts: Parts, _ live: LiveLines, _ begin: (Parts) throws(Failure) -> Companion
    ) async throws(Failure) -> ExitCode {
        let (worker, context) = (parts.worker, parts.context)
        let events = worker.events()
        let companion = try begin(parts)
        stopOnSignals(parts, companion)
        defer { context.interrupts.setStop(nil) }
        parts.daemon.attach(worker, parts.queue)
        worker.start()
        parts.daemon.arm()
        companion.ready()
        let isOver = Task { await worker.finished() }
        var told = WorkerEvents(parts.queue, style, context, live)
        for await event in events { told.take(event) }
        await isOver.value
        await companion.finished()
        parts.log.record(.info, "ended")
        if let failure = worker.failure() { throw failure }
        if let signal = context.interrupts.signal { return .stopped(by: signal) }
        return worker.figures().hasFailures ? .someFailed : .success
    }

    private func stopOnSignals(_ parts: Parts, _ companion: Companion) {
        let talk = Console(parts.context, style)
        let (worker, daemon, hurry) = (parts.worker, parts.daemon, parts.context.hurry)
        parts.context.interrupts.setStops([
            { _ in
                daemon.stopping()
                companion.drain()
                worker.drain()
                hurry()
                talk.note("stopping: running jobs may end; a second signal gives them back")
            },
            { _ in
                companion.stop()
                worker.stop()
                talk.note("stopping at once: running jobs go back to the queue")
            },
        ])
    }

    /// Such as `2 lanes on sqlite:/home/takeup.sqlite`.
    func description(at places: StatePlaces) -> String {
        let lanes = options.lanes == 1 ? "1 lane" : "\(options.lanes) lanes"
        return "\(worksHere ? lanes : "no worker here,") on \(places.database.name)"
    }
}
