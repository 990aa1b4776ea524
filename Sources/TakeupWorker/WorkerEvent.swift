public import TakeupJobs

/// What a worker tells while it works.
public enum WorkerEvent: Sendable, Equatable {
    /// - Parameters:
    ///   - attempt: From 1.
    ///   - lane: From 0.
    case started(JobID, attempt: Int, lane: Int)
    case progress(JobID, JobProgress)
    case warning(JobID, JobResult.Warning)
    /// An attempt ended; the record's state says how: `scheduled` will be tried again, `queued` was given back.
    case ended(JobRecord)
    /// Nothing is started for now; `resumed` follows by itself.
    case paused(reason: String)
    case resumed
    /// A folder that some jobs wait for can be written to no more, or again; in words for people.
    case noticed(String)
    /// Taken back from workers that are dead or silent.
    case rescued([JobID])

    /// The job that it is about; nil when it is about the worker.
    public var job: JobID? {
        switch self {
        case .started(let job, _, _), .progress(let job, _), .warning(let job, _): job
        case .ended(let record): record.id
        case .paused, .resumed, .noticed, .rescued: nil
        }
    }
}
