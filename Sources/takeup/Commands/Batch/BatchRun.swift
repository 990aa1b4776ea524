import TakeupClient
import TakeupDaemon
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupTelemetry

/// Queues the jobs of a batch, works on the queue in this process, and follows them to their ends.
struct BatchRun: Sendable {
    /// Seconds between two drawings of the display.
    static let tick = 0.1

    private let specs: [JobSpec]
    private let places: StatePlaces
    private let options: WorkerOptions
    private let style: OutputStyle
    /// The server that does the jobs; nil does them here.
    private let client: ServerClient?

    init(
        _ specs: [JobSpec], _ places: StatePlaces, _ options: WorkerOptions, _ style: OutputStyle,
        _ client: ServerClient? = nil
    ) {
        (self.specs, self.places, self.options, self.style) = (specs, places, options, style)
        self.client = client
    }

    func perform(in outer: CommandContext) async throws(Failure) -> ExitCode {
        let lines = LiveLines(outer, isQuiet: style.isQuiet)
        defer { lines.close() }
        let context = outer.writing(to: lines)
        let desk = BatchMonitor(total: specs.count, lines, style, context)
        guard !specs.isEmpty else {
            await desk.accept([])
            return await desk.close(signal: nil)
        }
        let (queue, worker) = try open(in: context)
        await desk.accept(try queue.place(specs))
        defer { context.interrupts.setStop(nil) }
        stopOnSignals(worker, in: context)
        await follow(queue, worker, desk, in: context)
        if let failure = await desk.failure { throw failure }
        return await desk.close(signal: context.interrupts.signal)
    }

    private func open(
        in context: CommandContext
    ) throws(Failure) -> (QueueAccess, WorkerAccess) {
        if let client { return (QueueAccess(client), .idle()) }
        if let warning = try options.sandboxWarning(at: places) {
            Console(context, style).warning(warning)
        }
        try places.requireCache()
        let queue = try context.openQueue(places)
        return (queue, try context.openWorker(places, options, log(to: context)))
    }

    private func follow(
        _ queue: QueueAccess, _ worker: WorkerAccess, _ desk: BatchMonitor,
        in context: CommandContext
    ) async {
        let events = worker.events()
        worker.start()
        let listening = Task {
            for await event in events where await desk.take(event) { worker.stop() }
            await worker.finished()
            await desk.end(queue, worker.failure())
        }
        while await !desk.isOver {
            if await desk.look(at: queue) { worker.stop() }
            await context.pause(Self.tick)
        }
        await listening.value
    }

    private func stopOnSignals(_ worker: WorkerAccess, in context: CommandContext) {
        let talk = Console(context, style)
        let hurry = context.hurry
        guard client == nil else {
            return context.interrupts.setStop { _ in
                worker.stop()
                hurry()
                talk.note("not waiting any more: the jobs stay with the server")
            }
        }
        context.interrupts.setStops([
            { _ in
                worker.drain()
                hurry()
                talk.note(
                    "stopping: running jobs may end, nothing new starts;"
                        + " press Ctrl-C again to stop them")
            },
            { _ in
                worker.stop()
                talk.note("stopping at once: running jobs go back to the queue")
            },
        ])
    }

    private func log(to context: CommandContext) -> Log {
        Log(threshold: style.isVerbose ? .info : .error) { [talk = Console(context, style)] in
            talk.note("\($0.level): \($0.text)")
        }
    }
}
