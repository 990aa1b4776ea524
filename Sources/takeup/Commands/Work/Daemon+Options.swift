import Foundation
import TakeupDaemon
import TakeupLanes
import TakeupService
import TakeupTelemetry

extension Daemon {
    convenience init(
        _ options: WorkerOptions, _ places: StatePlaces, _ log: Log, in context: CommandContext,
        zone: @escaping @Sendable () -> TimeZone = { TimeZone.current }
    ) {
        let settings = DaemonSettings(
            command: options.daemon.command, schedule: options.daemon.schedule,
            metricsPath: options.daemon.metricsFile.map(context.absolute),
            drainSeconds: options.drainSeconds, environment: context.environment,
            clock: context.daemonClock)
        let cache = Locked<CacheAccess?>(nil)
        self.init(
            settings, places, log,
            cache: {
                cache.withLock { cache in
                    // A database that is away by now is not made again.
                    if cache == nil, (try? places.hasQueue()) == true {
                        cache = try? context.openCache(places, options.limits)
                    }
                    return try? cache?.figures()
                }
            }, zone: zone)
    }
}

extension CommandContext {
    var daemonClock: DaemonClock { DaemonClock(now: now, wallClock: wallClock) }
}
