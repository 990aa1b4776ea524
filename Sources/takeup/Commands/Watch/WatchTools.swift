import TakeupTelemetry
import TakeupWatch

/// What every watched folder of a daemon shares.
struct WatchTools: Sendable {
    let queue: QueueAccess
    let ledger: WatchLedger
    let log: Log
    /// Where the logs of jobs are.
    let home: String
    /// Looks into an open file, by its path from the watched folder on.
    let probe: @Sendable (Int32, String) -> WatchDuties.Examination
}
