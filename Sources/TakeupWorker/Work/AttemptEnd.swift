internal import TakeupJobs

/// Ends a job's work before its result stands.
enum AttemptEnd: Error {
    /// The attempt is over with this outcome.
    case outcome(JobOutcome)
    /// The disk is full, or is about to be: the work waits for room.
    case noRoom(path: String, needBytes: Int64)
    /// Nothing can be written to a folder now: the work waits until that is otherwise.
    case placeClosed(folder: String, reason: String)
    /// The hold says why.
    case stopped
    /// The queue cannot be written to: the lease runs out by itself.
    case queue(JobStoreError)
}
