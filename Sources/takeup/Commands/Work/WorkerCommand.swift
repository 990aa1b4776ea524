import TakeupDaemon
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupTelemetry
import TakeupWorker

/// Works on the queue until it is stopped.
struct WorkerCommand: Command {
    static let specification = CommandSpecification(
        name: "worker",
        summary: "Do the queue's jobs until stopped",
        details: """
            Any number of workers may share one database and one cache. The first SIGTERM or \
            SIGINT lets running jobs end, for --drain at most; the second gives them back to the \
            queue at once. Neither uses up an attempt. Outside of --hours nothing is started; \
            --once waits for them, and ends with 3 when some of its jobs failed.
            """,
        options: [
            OptionSpecification(name: "once", help: "End when the queue has nothing left to do")
        ] + WorkerOptions.specifications(drain: "60s") + DaemonOptions.specifications,
        essentials: ["once", "workers", "drain", "memory", "hours", "metrics-file"],
        examples: [
            .init(line: "takeup worker --workers 4", effect: "four jobs at once"),
            .init(line: "takeup worker --once --json", effect: "what is queued, then end"),
        ],
        make: { input throws(UsageError) in try WorkerCommand(input) })

    let style: OutputStyle
    private let options: WorkerOptions
    private let endsWhenDone: Bool

    init(_ input: CommandInput) throws(UsageError) {
        style = OutputStyle(input)
        options = try WorkerOptions(input)
        endsWhenDone = input.isOn("once")
    }

    func run(in outer: CommandContext) async throws(Failure) -> ExitCode {
        let live = LiveLines(outer, isQuiet: style.isQuiet || style.isJSON)
        defer { live.close() }
        let context = outer.writing(to: live)
        let places = try options.places(in: context)
        let log = WorkerLog(context, style)
        let daemon = Daemon(options, places, log.lines, in: context)
        return try await daemon.run { () async throws(Failure) in
            try await work(at: places, daemon, log, live, in: context)
        }
    }

    private func work(
        at places: StatePlaces, _ daemon: Daemon, _ log: WorkerLog, _ live: LiveLines,
        in context: CommandContext
    ) async throws(Failure) -> ExitCode {
        if let warning = try options.sandboxWarning(at: places) {
            log.lines.record(.warning, warning)
        }
        try places.requireCache()
        let queue = try context.openQueue(places)
        let worker = try context.openWorker(places, options, log.lines)
        stopOnSignals(worker, daemon, in: context)
        defer { context.interrupts.setStop(nil) }
        let events = worker.events()
        daemon.attach(worker, queue)
        worker.start()
        daemon.arm()
        let lanes = options.lanes == 1 ? "1 lane" : "\(options.lanes) lanes"
        log.lines.record(.info, "ready: \(lanes) on \(places.database.name)")
        let isOver = Task { await worker.finished() }
        let watching = endsWhenDone ? watch(queue, worker, in: context) : nil
        var told = WorkerEvents(queue, style, context, live)
        for await event in events { told.take(event) }
        await isOver.value
        watching?.cancel()
        log.lines.record(.info, "ended")
        if let failure = worker.failure() { throw failure }
        if let signal = context.interrupts.signal { return .stopped(by: signal) }
        return worker.figures().hasFailures ? .someFailed : .success
    }

    /// Ends the worker once no job waits or runs, here or elsewhere.
    private func watch(
        _ queue: QueueAccess, _ worker: WorkerAccess, in context: CommandContext
    ) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                // A database that cannot be asked now is asked again.
                let left = (try? queue.depth()).map { $0.queued + $0.scheduled + $0.running }
                if left == 0 { return worker.drain() }
                await context.pause(0.1)
            }
        }
    }

    private func stopOnSignals(
        _ worker: WorkerAccess, _ daemon: Daemon, in context: CommandContext
    ) {
        let talk = Console(context, style)
        let hurry = context.hurry
        context.interrupts.setStops([
            { _ in
                daemon.stopping()
                worker.drain()
                hurry()
                talk.note("stopping: running jobs may end; a second signal gives them back")
            },
            { _ in
                worker.stop()
                talk.note("stopping at once: running jobs go back to the queue")
            },
        ])
    }
}
