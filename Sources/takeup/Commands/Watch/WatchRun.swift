import Foundation
import TakeupDigest
import TakeupFiles
import TakeupJobs
import TakeupLanes
import TakeupTelemetry
import TakeupWatch
import TakeupWorker

/// Watches folders and works on the queue in this process, until stopped.
struct WatchRun: Sendable {
    private let input: CommandInput
    private let places: StatePlaces
    private let options: WorkerOptions
    private let style: OutputStyle
    /// How long a run that is over waits for hooks that have not been told yet, in seconds.
    private static let settleSeconds = 30.0

    init(
        _ input: CommandInput, _ places: StatePlaces, _ options: WorkerOptions,
        _ style: OutputStyle
    ) {
        (self.input, self.places, self.options, self.style) = (input, places, options, style)
    }

    func perform(
        _ plan: WatchPlan, in context: CommandContext
    ) async throws(Failure) -> ExitCode {
        let queue = try context.openQueue(places)
        let log = WorkerLog(context, style)
        let rounds = try WatchRounds(plan, places)
        let worker = try context.openWorker(places, options, log.lines)
        stopOnSignals(worker, rounds, log.lines, in: context)
        defer { context.interrupts.setStop(nil) }
        let events = worker.events()
        worker.start()
        let watching = Task { [self] in
            // However it ends, nobody waits for the worker in vain.
            defer { worker.drain() }
            return try await watch(
                tools(queue, worker, log.lines, in: context), rounds, in: context)
        }
        let isOver = Task { await worker.finished() }
        var told = WorkerEvents(queue, style, context)
        for await event in events { told.take(event) }
        await isOver.value
        rounds.end()
        let hasFailures: Bool
        do {
            hasFailures = try await watching.value
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unexpected(error)
        }
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
                ledger: try WatchLedger(path: places.database, now: context.wallClock), log: log,
                home: places.home, helper: helper)
        } catch {
            throw Failure(error)
        }
    }

    /// Watches every folder on a lane of its own, anew after each reload; ends when told to, or once everything is done.
    ///
    /// Returns whether something came to nothing.
    private func watch(
        _ tools: WatchTools, _ rounds: WatchRounds, in context: CommandContext
    ) async throws -> Bool {
        var hasFailures = false
        while let (plan, stop) = rounds.next() {
            hasFailures = try await watch(plan, tools, stop, in: context)
            if !stop.isCancelled { break }
        }
        return hasFailures
    }

    private func watch(
        _ plan: WatchPlan, _ tools: WatchTools, _ stop: Cancellation, in context: CommandContext
    ) async throws -> Bool {
        let delivery = HookDelivery(
            plan.hooks, of: plan.requests.map(\.folder), in: tools.ledger,
            environment: context.environment, log: tools.log)
        let quiet = Cancellation()
        async let telling: Void = delivery.run(until: quiet)
        defer { quiet.cancel() }
        let hasFailures = try await watch(plan, tools, delivery, stop, in: context)
        // A run that ends by itself does not leave without having told.
        if !stop.isCancelled { await delivery.settle(withinSeconds: Self.settleSeconds) }
        quiet.cancel()
        await telling
        return hasFailures
    }

    private func watch(
        _ plan: WatchPlan, _ tools: WatchTools, _ delivery: HookDelivery, _ stop: Cancellation,
        in context: CommandContext
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for request in plan.requests {
                group.addTask {
                    try await Lane("takeup.watch").run {
                        do throws(WatchError) {
                            let hooks = WatchHooks(plan.hooks, delivery, now: context.wallClock)
                            let folder = try WatchedFolder(request, tools, hooks, in: context)
                            return try follow(folder, stop, in: context)
                        } catch {
                            stop.cancel()
                            throw Failure(error)
                        }
                    }
                }
            }
            return try await group.reduce(false) { $0 || $1 }
        }
    }

    private func follow(
        _ folder: WatchedFolder, _ stop: Cancellation, in context: CommandContext
    ) throws(WatchError) -> Bool {
        let endsWhenDone = input.isOn("once")
        while !stop.isCancelled {
            let now = context.now()
            let next = folder.step(now: now)
            if endsWhenDone, try folder.isDone { return try folder.hasFailures }
            let seconds = min(max(0, next - context.now()), WatchedFolder.followSeconds)
            if !folder.wait(seconds: seconds) { usleep(UInt32(seconds * 1_000_000)) }
        }
        return false
    }

    private func stopOnSignals(
        _ worker: WorkerAccess, _ rounds: WatchRounds, _ log: Log, in context: CommandContext
    ) {
        let talk = Talk(context, style)
        let hurry = context.hurry
        context.interrupts.setStops([
            { _ in
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
        // A terminal that is closed ends the program as ever.
        guard !context.terminal.diagnosticsIsTerminal else { return }
        context.interrupts.setReload { reload(rounds, log, in: context) }
    }

    /// Reads the configuration anew; one that cannot be used changes nothing.
    private func reload(_ rounds: WatchRounds, _ log: Log, in context: CommandContext) {
        do {
            let settings = try Settings.load(
                options: CommandTable.commonOptions + input.invocation.command.options,
                invocation: input.invocation, context: context)
            let plan = try WatchPlan(input.with(settings), in: context)
            try WatchRequest.check(plan.requests, home: places.home, cache: places.cache)
            try rounds.change(to: plan)
            log.record(.info, "the configuration was read again: \(plan.requests.count) folders")
        } catch let error as ConfigurationError {
            log.record(.error, "the configuration stays as it was: \(error.message)")
        } catch let error as Failure {
            log.record(.error, "the configuration stays as it was: \(error.message)")
        } catch {
            log.record(.error, "the configuration stays as it was: \(error)")
        }
    }
}
