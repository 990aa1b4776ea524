import Foundation
import TakeupHooks
import TakeupIngest
import TakeupLanes
import TakeupModel
import TakeupService
import TakeupTelemetry
import TakeupWatch

/// Watches the folders of one plan, each on a lane of its own, and tells the plan's hooks.
struct WatchRound: Sendable {
    /// How long a round that is over waits for hooks that have not been told yet, in seconds.
    private static let settleSeconds = 30.0

    let plan: WatchPlan
    let tools: WatchTools
    let daemon: Daemon
    /// Whether it is over once everything that is there is done.
    let endsWhenDone: Bool
    let stop: Cancellation

    /// Goes on until it is stopped, or everything is done.
    ///
    /// - Returns: Whether something came to nothing.
    /// - Throws: `Failure`.
    func perform(in context: CommandContext) async throws -> Bool {
        let delivery = OutboxDelivery(
            plan.hooks, of: plan.requests.map(\.folder), in: tools.ledger,
            environment: context.environment, log: tools.log)
        let quiet = Cancellation()
        async let telling: Void = delivery.run(until: quiet)
        defer { quiet.cancel() }
        let hasFailures = try await watch(delivery, in: context)
        // What ends by itself does not leave without having told.
        if !stop.isCancelled { await delivery.settle(withinSeconds: Self.settleSeconds) }
        quiet.cancel()
        await telling
        return hasFailures
    }

    private func watch(_ delivery: OutboxDelivery, in context: CommandContext) async throws -> Bool
    {
        let gauges = plan.requests.map { request in
            WatchGauge(
                folder: request.folder, output: request.output,
                missingOutput: request.output.flatMap { daemon.missingOutput(in: $0) },
                now: context.now())
        }
        daemon.watch(gauges)
        let places = OwnPlaces(
            plan.requests,
            shared: [(tools.home, "the folder of the database"), (tools.cache, "the cache")])
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for (request, gauge) in zip(plan.requests, gauges) {
                group.addTask {
                    defer {
                        gauge.end()
                        // A run that ends with what there is does not hold back the other folders' jobs.
                        if endsWhenDone { daemon.note(missingOutput: nil, of: gauge) }
                    }
                    return try await Lane("takeup.watch").run {
                        do throws(WatchError) {
                            let hooks = WatchHooks(plan.hooks, delivery, now: context.wallClock)
                            let life = FolderLife(
                                beat: { gauge.beat(now: context.now()) },
                                noteOutput: { daemon.note(missingOutput: $0, of: gauge) },
                                stop: stop, places: places)
                            let folder = try WatchedFolder(request, tools, hooks, life)
                            let hasFailures = try follow(folder, gauge, in: context)
                            // A stop is none the less one: unnoted it looks like a kill, and jobs are doubted for nothing.
                            do throws(WatchError) {
                                try folder.end()
                            } catch {
                                tools.log.record(.warning, "\(request.folder): \(error)")
                            }
                            return hasFailures
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
        _ folder: WatchedFolder, _ gauge: WatchGauge, in context: CommandContext
    ) throws(WatchError) -> Bool {
        while !stop.isCancelled {
            let now = context.now()
            let next = folder.step(now: now)
            gauge.step(now: context.now(), folder.figures)
            if endsWhenDone, try folder.isDone {
                try folder.tellFailures()
                return try folder.hasFailures
            }
            let seconds = min(max(0, next - context.now()), WatchedFolder.followSeconds)
            if !folder.wait(seconds: seconds) { usleep(UInt32(seconds * 1_000_000)) }
        }
        return false
    }
}
