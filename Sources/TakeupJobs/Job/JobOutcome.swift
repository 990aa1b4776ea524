/// How an attempt ended, as its worker reports it.
public enum JobOutcome: Sendable, Equatable {
    case succeeded(JobResult)
    /// The manifest already held the work's result.
    case cached(JobResult)
    /// - Parameter retryable: Whether another try may succeed.
    case failed(JobFault, retryable: Bool)
    /// The helper crashed, hung or was ended for what it used.
    case crashed(JobFault)
    /// The worker stops, or the machine lacks room: no fault of the job, and no attempt used up.
    ///
    /// - Parameter note: Why it waits; nil for a worker that stops.
    case returned(note: String?, delaySeconds: Double)
    /// Stopped because that was asked for.
    case cancelled
}
