import Foundation
import TakeupDigest
import TakeupFiles
import TakeupJobs
import TakeupLanes
import TakeupTelemetry
import TakeupWatch

/// Watches folders and works on the queue in this process, until stopped.
struct WatchRun: Sendable {
    private let requests: [WatchRequest]
    private let places: StatePlaces
    private let options: WorkerOptions
    private let style: OutputStyle
    private let endsWhenDone: Bool

    init(
        _ requests: [WatchRequest], _ places: StatePlaces, _ options: WorkerOptions,
        _ style: OutputStyle, endsWhenDone: Bool
    ) {
        (self.requests, self.places, self.options) = (requests, places, options)
        (self.style, self.endsWhenDone) = (style, endsWhenDone)
    }

    func perform(in context: CommandContext) async throws(Failure) -> ExitCode {
        let log = WorkerLog(context, style)
        let daemon = Daemon(options, places, log.lines, in: context)
        return try await daemon.run { () async throws(Failure) in
            try await perform(daemon, log, in: context)
        }
    }

    private func perform(
        _ daemon: Daemon, _ log: WorkerLog, in context: CommandContext
    ) async throws(Failure) -> ExitCode {
        let queue = try context.openQueue(places)
        let locks = try requests.map { request throws(Failure) in
            try WatchLock(request.folder, home: places.home)
        }
        let worker = try context.openWorker(places, options, log.lines)
        let stop = Cancellation()
        stopOnSignals(worker, daemon, stop, in: context)
        defer { context.interrupts.setStop(nil) }
        let events = worker.events()
        daemon.attach(worker, queue)
        worker.start()
        let watching = Task { [self] in
            // However it ends, nobody waits for the worker in vain.
            defer { worker.drain() }
            return try await watch(queue, daemon, log.lines, stop, in: context)
        }
        let isOver = Task { await worker.finished() }
        var told = WorkerEvents(queue, style, context)
        for await event in events { told.take(event) }
        await isOver.value
        stop.cancel()
        let hasFailures: Bool
        do {
            hasFailures = try await watching.value
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unexpected(error)
        }
        withExtendedLifetime(locks) {}
        if let signal = context.interrupts.signal { return .stopped(by: signal) }
        return hasFailures ? .someFailed : .success
    }

    /// Watches every folder on a lane of its own; ends when told to, or once everything is done.
    ///
    /// Returns whether something came to nothing.
    private func watch(
        _ queue: QueueAccess, _ daemon: Daemon, _ log: Log, _ stop: Cancellation,
        in context: CommandContext
    ) async throws -> Bool {
        let ledger: WatchLedger
        do throws(WatchError) {
            ledger = try WatchLedger(path: places.database, now: context.wallClock)
        } catch {
            throw Failure(error)
        }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for request in requests {
                let gauge = daemon.register(request.folder, output: request.output)
                group.addTask {
                    defer { daemon.unregister(gauge) }
                    return try await Lane("takeup.watch").run {
                        do throws(WatchError) {
                            let folder = try WatchedFolder(request, queue, ledger, context, log)
                            return try follow(folder, gauge, stop, in: context)
                        } catch {
                            stop.cancel()
                            throw Failure(error)
                        }
                    }
                }
            }
            daemon.arm()
            return try await group.reduce(false) { $0 || $1 }
        }
    }

    private func follow(
        _ folder: WatchedFolder, _ gauge: WatchGauge, _ stop: Cancellation,
        in context: CommandContext
    ) throws(WatchError) -> Bool {
        while !stop.isCancelled {
            let now = context.now()
            let next = folder.step(now: now)
            gauge.step(now: context.now(), folder.figures)
            if endsWhenDone, try folder.isDone { return try folder.hasFailures }
            let seconds = min(max(0, next - context.now()), WatchedFolder.followSeconds)
            if !folder.wait(seconds: seconds) { usleep(UInt32(seconds * 1_000_000)) }
        }
        return false
    }

    private func stopOnSignals(
        _ worker: WorkerAccess, _ daemon: Daemon, _ stop: Cancellation,
        in context: CommandContext
    ) {
        let talk = Talk(context, style)
        let hurry = context.hurry
        context.interrupts.setStops([
            { _ in
                daemon.stopping()
                stop.cancel()
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
