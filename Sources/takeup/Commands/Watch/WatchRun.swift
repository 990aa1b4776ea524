import TakeupDaemon
import TakeupFiles
import TakeupIngest
import TakeupJobs
import TakeupLanes
import TakeupMediaClient
import TakeupModel
import TakeupService
import TakeupTelemetry
import TakeupWatch
import TakeupWorker

/// Watches folders and works on the queue in this process, until stopped.
struct WatchRun: Sendable {
    private let input: CommandInput
    private let places: StatePlaces
    private let options: WorkerOptions
    private let style: OutputStyle

    init(
        _ input: CommandInput, _ places: StatePlaces, _ options: WorkerOptions,
        _ style: OutputStyle
    ) {
        (self.input, self.places, self.options, self.style) = (input, places, options, style)
    }

    func perform(
        _ plan: WatchPlan, in outer: CommandContext
    ) async throws(Failure) -> ExitCode {
        let live = LiveLines(outer, isQuiet: style.isQuiet || style.isJSON)
        defer { live.close() }
        let context = outer.writing(to: live)
        let log = WorkerLog(context, style)
        Interrupts.overlook(hangUp: !context.terminal.diagnosticsIsTerminal)
        let daemon = Daemon(options, places, log.lines, in: context)
        return try await daemon.run { () async throws(Failure) in
            try await perform(plan, daemon, log.lines, live, in: context)
        }
    }

    private func perform(
        _ plan: WatchPlan, _ daemon: Daemon, _ log: Log, _ live: LiveLines,
        in context: CommandContext
    ) async throws(Failure) -> ExitCode {
        if let warning = try options.sandboxWarning(at: places) { log.record(.warning, warning) }
        try places.requireCache()
        let queue = try context.openQueue(places)
        let rounds = try WatchSupervisor(
            plan, home: Folder.containing(places.localDatabase))
        let worker = try context.openWorker(places, options, log)
        stopOnSignals(worker, daemon, rounds, in: context)
        reloadOnSignal(daemon, rounds, log, in: context)
        defer { context.interrupts.setStop(nil) }
        let events = worker.events()
        let tools = try tools(queue, worker, log, in: context)
        daemon.watch(try await gauges(plan, tools, in: context))
        daemon.attach(worker, queue)
        worker.start()
        let watching = Task { [self] in
            // However it ends, nobody waits for the worker in vain.
            defer { worker.drain() }
            return try await watch(rounds, tools, daemon, in: context)
        }
        let isOver = Task { await worker.finished() }
        var told = WorkerEvents(queue, style, context, live)
        for await event in events { told.take(event) }
        await isOver.value
        rounds.end()
        let hasFailures: Bool
        do {
            hasFailures = try await watching.value
        } catch {
            throw Failure(of: error)
        }
        if let failure = worker.failure() { throw failure }
        if let signal = context.interrupts.signal { return .stopped(by: signal) }
        return hasFailures ? .someFailed : .success
    }

    private func tools(
        _ queue: QueueAccess, _ worker: WorkerAccess, _ log: Log, in context: CommandContext
    ) throws(Failure) -> WatchTools {
        var helper = options.configuration(at: places).helper
        helper.scratchParent = worker.scratch
        do throws(WatchError) {
            return WatchTools(
                queue: queue,
                ledger: try places.openLedger(now: context.wallClock), log: log,
                home: places.home, cache: places.cache, helper: helper,
                trash: Trash(besides: places.home, context.environment, now: context.wallClock),
                clock: context.watchClock)
        } catch {
            throw Failure(error)
        }
    }

    private func gauges(
        _ plan: WatchPlan, _ tools: WatchTools, in context: CommandContext
    ) async throws(Failure) -> [WatchGauge] {
        do throws(WatchError) {
            let absences = try await OutputGuard.absences(plan.requests, tools.ledger)
            return zip(plan.requests, absences).map { request, absence in
                WatchGauge(
                    folder: request.folder, output: request.output, missingOutput: absence,
                    now: context.now())
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Does one round after the other: a reload begins the next.
    ///
    /// Returns whether something came to nothing in the last one.
    private func watch(
        _ rounds: WatchSupervisor, _ tools: WatchTools, _ daemon: Daemon, in context: CommandContext
    ) async throws -> Bool {
        var hasFailures = false
        while let (plan, stop) = rounds.next() {
            let round = WatchRound(
                plan: plan, tools: tools, daemon: daemon, endsWhenDone: input.isOn("once"),
                stop: stop)
            hasFailures = try await round.perform(
                by: context.daemonClock, environment: context.environment)
            if !stop.isCancelled { break }
        }
        return hasFailures
    }

    private func stopOnSignals(
        _ worker: WorkerAccess, _ daemon: Daemon, _ rounds: WatchSupervisor,
        in context: CommandContext
    ) {
        let talk = Console(context, style)
        let hurry = context.hurry
        context.interrupts.setStops([
            { _ in
                daemon.stopping()
                rounds.end()
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

    /// A terminal that is closed ends the program as ever.
    private func reloadOnSignal(
        _ daemon: Daemon, _ rounds: WatchSupervisor, _ log: Log, in context: CommandContext
    ) {
        guard !context.terminal.diagnosticsIsTerminal else { return }
        context.interrupts.setReload {
            daemon.reloading()
            reload(rounds, log, in: context)
            daemon.reloaded()
        }
    }

    /// Reads the configuration anew; one that cannot be used changes nothing.
    private func reload(_ rounds: WatchSupervisor, _ log: Log, in context: CommandContext) {
        do {
            let settings = try Settings.load(
                options: CommandTable.commonOptions + input.invocation.command.options,
                invocation: input.invocation, context: context)
            let plan = try WatchPlan(input.with(settings), in: context)
            try FolderTerritories(plan.requests, home: places.home, cache: places.cache).check()
            try plan.checkHooks(context.environment)
            try rounds.change(to: plan)
            log.record(.info, "the configuration was read again: \(plan.requests.count) folders")
        } catch {
            let failure = Failure(of: error)
            log.record(
                .error, "the configuration stays as it was: \(failure.message); \(failure.advice)")
        }
    }
}
