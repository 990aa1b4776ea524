internal import Foundation
internal import TakeupHooks
package import TakeupIngest
package import TakeupLanes
internal import TakeupModel
internal import TakeupService
internal import TakeupTelemetry
internal import TakeupWatch

/// Watches the folders of one plan, each on a lane of its own, and tells the plan's hooks.
package struct WatchRound: Sendable {
    /// How long a round that is over waits for hooks that have not been told yet, in seconds.
    private static let settleSeconds = 30.0

    private let plan: WatchPlan
    private let tools: WatchTools
    private let daemon: Daemon
    private let endsWhenDone: Bool
    private let stop: Cancellation

    /// - Parameters:
    ///   - plan: The folders and the hooks.
    ///   - tools: What the folders' lanes work with.
    ///   - daemon: Is told how each folder fares.
    ///   - endsWhenDone: Whether the round is over once everything that is there is done.
    ///   - stop: Ends the round.
    package init(
        plan: WatchPlan, tools: WatchTools, daemon: Daemon, endsWhenDone: Bool, stop: Cancellation
    ) {
        (self.plan, self.tools, self.daemon) = (plan, tools, daemon)
        (self.endsWhenDone, self.stop) = (endsWhenDone, stop)
    }

    /// Goes on until it is stopped, or everything is done.
    ///
    /// - Returns: Whether something came to nothing.
    /// - Throws: `Failure`.
    package func perform(by clock: DaemonClock, environment: [String: String]) async throws -> Bool
    {
        let delivery = OutboxDelivery(
            plan.hooks, of: plan.requests.map(\.folder), in: tools.ledger,
            environment: environment, log: tools.log)
        let quiet = Cancellation()
        async let telling: Void = delivery.run(until: quiet)
        defer { quiet.cancel() }
        let hasFailures = try await watch(delivery, by: clock)
        // What ends by itself does not leave without having told.
        if !stop.isCancelled { await delivery.settle(withinSeconds: Self.settleSeconds) }
        quiet.cancel()
        await telling
        return hasFailures
    }

    private func watch(_ delivery: OutboxDelivery, by clock: DaemonClock) async throws -> Bool {
        let gauges = plan.requests.map { request in
            WatchGauge(
                folder: request.folder, output: request.output,
                missingOutput: request.output.flatMap { daemon.missingOutput(in: $0) },
                now: clock.now())
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
                            let hooks = WatchHooks(plan.hooks, delivery, now: clock.wallClock)
                            let life = FolderLife(
                                beat: { gauge.beat(now: clock.now()) },
                                noteOutput: { daemon.note(missingOutput: $0, of: gauge) },
                                stop: stop, places: places)
                            let folder = try WatchedFolder(request, tools, hooks, life)
                            let hasFailures = try follow(folder, gauge, by: clock)
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
        _ folder: WatchedFolder, _ gauge: WatchGauge, by clock: DaemonClock
    ) throws(WatchError) -> Bool {
        while !stop.isCancelled {
            let now = clock.now()
            let next = folder.step(now: now)
            gauge.step(now: clock.now(), folder.figures)
            if endsWhenDone, try folder.isDone {
                try folder.tellFailures()
                return try folder.hasFailures
            }
            let seconds = min(max(0, next - clock.now()), WatchedFolder.followSeconds)
            if !folder.wait(seconds: seconds) { usleep(UInt32(seconds * 1_000_000)) }
        }
        return false
    }
}
