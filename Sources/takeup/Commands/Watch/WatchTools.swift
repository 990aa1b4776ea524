import TakeupMediaClient
import TakeupTelemetry
import TakeupWatch
import TakeupWorker

/// What every watched folder of a daemon shares.
struct WatchTools: Sendable {
    let queue: QueueAccess
    let ledger: WatchLedger
    let log: Log
    /// Where the logs of jobs are.
    let home: String
    let cache: String
    /// For looks into files.
    let helper: HelperConfiguration
}
