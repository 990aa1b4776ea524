internal import TakeupJobs
internal import TakeupModel

/// Ends a job's work before its result stands.
enum AttemptEnd: Error {
    /// The attempt is over with this outcome.
    case outcome(JobOutcome)
    /// The disk is full, or is about to be: the work waits for room.
    case noRoom(path: String, needBytes: Int64)
    /// The disk of this machine could never hold the result; another machine's may.
    case diskTooSmall(reason: String)
    /// Nothing can be written to a folder now: the work waits until that is otherwise.
    case placeClosed(folder: String, reason: String)
    /// The database knows another cache: this worker can do nothing more.
    case cacheLost(Failure)
    /// The hold says why.
    case stopped
    /// The queue cannot be written to: the lease runs out by itself.
    case queue(JobStoreError)
}

extension AttemptEnd {
    /// Whether the sources' bytes may be what was wrong.
    var blamesSources: Bool {
        guard case .outcome(.failed(let failure, _)) = self else { return false }
        return failure.blamesSources
    }

    /// Seconds after which a job is tried again for which no file could be opened.
    private static let filesSeconds = 2.0

    /// The process has too many files open: no fault of the job, and no attempt used up.
    static var tooManyFiles: AttemptEnd {
        .outcome(
            .returned(
                note: "waits until this process can open files again", delaySeconds: filesSeconds))
    }
}
