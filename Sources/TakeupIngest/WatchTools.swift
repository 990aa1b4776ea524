package import TakeupJobs
package import TakeupMediaClient
package import TakeupTelemetry
package import TakeupWatch
internal import TakeupWorker

/// What every watched folder of a daemon shares.
package struct WatchTools: Sendable {
    package let queue: QueueAccess
    package let ledger: WatchLedger
    package let log: Log
    /// Where the logs of jobs are.
    package let home: String
    package let cache: String
    /// For looks into files.
    package let helper: HelperConfiguration
    package let trash: Trash
    package let clock: WatchClock

    package init(
        queue: QueueAccess, ledger: WatchLedger, log: Log, home: String, cache: String,
        helper: HelperConfiguration, trash: Trash, clock: WatchClock
    ) {
        (self.queue, self.ledger, self.log) = (queue, ledger, log)
        (self.home, self.cache, self.helper) = (home, cache, helper)
        (self.trash, self.clock) = (trash, clock)
    }
}
