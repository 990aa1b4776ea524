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
        /// The job is to be done, again or after all.
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
        /// The worker need not stop any more; one that has seen the cancel gives the job back.
        case letWorkerGoOn
        case ignore
    }

    public private(set) var state: JobState
    /// Tries that ended in a fault of the job; none for an interruption.
    public private(set) var failures: Int
    public private(set) var crashes: Int
    /// Times that a worker was lost or stopped while it had the job.
    public private(set) var interruptions: Int
    public private(set) var isCancelRequested: Bool
    /// Which try it is, or would be, from 1; interruptions do not count.
    public var attempt: Int { failures + crashes + 1 }
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

extension JobStateMachine {
    /// Moves to the next state and names what the caller must now do.
    ///
    /// A success that arrives after a cancel was asked for stands: the work is done and recorded.
    public mutating func apply(_ event: Event) -> Action {
        switch (state, event) {
        case (.queued, .claimed), (.scheduled, .claimed): return move(to: .running, .start)
        case (.queued, .cancelRequested), (.scheduled, .cancelRequested):
            return move(to: .cancelled, .giveUp)
        case (.running, .succeeded): return move(to: .succeeded, .complete)
        case (.running, .answeredFromCache): return move(to: .cached, .complete)
        case (.running, .failed(let retryable)): return endFailed(retryable: retryable)
        case (.running, .crashed): return endCrashed()
        case (.running, .returned(let isDelayed)): return endInterrupted(isDelayed: isDelayed)
        case (.running, .leaseLost): return endInterrupted(isDelayed: false)
        case (.running, .cancelRequested):
            isCancelRequested = true
            return .stopWorker
        case (.running, .stopped):
            return isCancelRequested ? move(to: .cancelled, .giveUp) : move(to: .queued, .requeue)
        case (.running, .retryRequested):
            guard isCancelRequested else { return .ignore }
            isCancelRequested = false
            return .letWorkerGoOn
        case (.succeeded, .retryRequested), (.cached, .retryRequested),
            (.failed, .retryRequested), (.cancelled, .retryRequested),
            (.quarantined, .retryRequested):
            self = JobStateMachine(retries: retries)
            return .requeue
        case (.running, .claimed), (.queued, _), (.scheduled, _),
            (.succeeded, _), (.cached, _), (.failed, _), (.cancelled, _), (.quarantined, _):
            return .ignore
        }
    }

    private mutating func move(to next: JobState, _ action: Action) -> Action {
        state = next
        return action
    }

    private mutating func endFailed(retryable: Bool) -> Action {
        failures += 1
        guard !isCancelRequested else { return move(to: .cancelled, .giveUp) }
        guard retryable, failures <= retries else { return move(to: .failed, .giveUp) }
        return move(to: .scheduled, .retry(attempt: failures + crashes))
    }

    private mutating func endCrashed() -> Action {
        crashes += 1
        guard !isCancelRequested else { return move(to: .cancelled, .giveUp) }
        guard crashes < Self.crashLimit else { return move(to: .quarantined, .quarantine) }
        return move(to: .scheduled, .retry(attempt: failures + crashes))
    }

    private mutating func endInterrupted(isDelayed: Bool) -> Action {
        interruptions += 1
        guard !isCancelRequested else { return move(to: .cancelled, .giveUp) }
        return move(to: isDelayed ? .scheduled : .queued, .requeue)
    }
}
