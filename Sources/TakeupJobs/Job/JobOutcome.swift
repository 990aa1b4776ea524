public import TakeupModel

/// How an attempt ended, as its worker reports it.
public enum JobOutcome: Sendable, Equatable {
    case succeeded(JobResult)
    /// The manifest already held the work's result.
    case cached(JobResult)
    /// - Parameter retryable: Whether another try may succeed.
    case failed(Failure, retryable: Bool)
    /// The helper crashed, hung or was ended for what it used.
    case crashed(Failure)
    /// The worker stops, or the machine lacks room: no fault of the job, and no attempt used up.
    ///
    /// - Parameters:
    ///   - note: Why it waits; nil for a worker that stops.
    ///   - delaySeconds: How long at least.
    ///   - workKey: The work that another job is doing: it waits for the end of that attempt, too.
    case returned(note: String?, delaySeconds: Double, workKey: String? = nil)
    /// Stopped because that was asked for.
    case cancelled
}
