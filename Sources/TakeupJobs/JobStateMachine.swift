/// A job's life as a table; it acts on nothing.
public struct JobStateMachine: Sendable, Hashable {
    /// Crashes of its helper after which a job is not tried again.
    public static let crashLimit = 3

    public enum Event: Sendable, Equatable {
        case claimed
        case succeeded
        case answeredFromCache
        case failed(retryable: Bool)
        case crashed
        /// Given back by a worker that stops or cannot go on; no fault of the job.
        case returned(isDelayed: Bool)
        /// The worker was killed or cut off.
        case leaseLost
        case cancelRequested
        /// The worker has stopped because of `cancelRequested`.
        case stopped
        case retryRequested
    }

    /// What the caller must do now.
    public enum Action: Sendable, Equatable {
        case start
        case complete
        /// - Parameter attempt: Failures and crashes so far, from 1.
        case retry(attempt: Int)
        case requeue
        case giveUp
        case quarantine
        /// Ask the worker to stop.
        case stopWorker
        case ignore
    }

    public private(set) var state: JobState
    /// Tries that ended in a fault of the job; none for an interruption.
    public private(set) var failures: Int
    public private(set) var crashes: Int
    /// Times that a worker was lost or stopped while it had the job.
    public private(set) var interruptions: Int
    public private(set) var isCancelRequested: Bool
    public let retries: Int

    public init(
        state: JobState = .queued, retries: Int, failures: Int = 0, crashes: Int = 0,
        interruptions: Int = 0, isCancelRequested: Bool = false
    ) {
        (self.state, self.retries, self.failures) = (state, retries, failures)
        (self.crashes, self.interruptions) = (crashes, interruptions)
        self.isCancelRequested = isCancelRequested
    }
}
