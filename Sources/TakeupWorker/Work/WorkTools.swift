internal import TakeupCache
internal import TakeupJobs
internal import TakeupMediaClient
internal import TakeupModel
internal import TakeupSQL

/// What a lane works with.
struct WorkTools {
    let store: SQLJobStore
    var cache: MediaCache
    let configuration: WorkerConfiguration
    let helper: ExportHelper
    /// For looks into sources.
    let probing: HelperConfiguration
    /// Threads for each encoder.
    let threads: Int
    let logs: JobLogs
    let emit: @Sendable (WorkerEvent) -> Void
    /// Is told that the queue's server does not answer.
    let noteOutage: @Sendable (SQLError) -> Void
    /// Is told that the store of the results does not answer.
    let noteObjects: @Sendable (Failure) -> Void
}
