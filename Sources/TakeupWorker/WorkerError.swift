public import TakeupCache
public import TakeupJobs

/// Why a worker could not begin.
public enum WorkerError: Error, Equatable, Sendable {
    /// A number of lanes that no worker has.
    case lanes(Int)
    case queue(JobStoreError)
    case cache(CacheError)
    /// Its folder for locks, logs and scratch files cannot be used.
    case stateFolder(path: String, reason: String)
}
