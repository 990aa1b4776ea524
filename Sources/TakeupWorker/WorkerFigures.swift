public import TakeupJobs

/// What a worker does now and has done since its start, in numbers.
public struct WorkerFigures: Sendable, Equatable {
    /// Jobs that it does now.
    public var running = 0
    /// How its attempts ended, by the state that the job was in then: `scheduled` will be tried again, `queued` was given back.
    public var ended: [JobState: Int] = [:]
    /// Attempts whose lease went to somebody else before they ended.
    public var leaseLosses = 0
    /// Jobs that it took back from workers that were dead or silent.
    public var rescues = 0
    /// Claims that got a job, and the seconds that the store took for them.
    public var claims = 0
    public var claimSeconds = 0.0
    /// The seconds from when those jobs were due to when they were claimed, added up.
    public var waitSeconds = 0.0
    /// How long its results last, and how long they took.
    public var mediaSeconds = 0.0
    public var workSeconds = 0.0
    /// Bytes of the sources from which the worker made results; then bytes of these results.
    public var sourceBytes: Int64 = 0
    public var outputBytes: Int64 = 0

    public init() {}

    /// Whether a job of its ended without a result, and not by request.
    public var hasFailures: Bool {
        ended[.failed, default: 0] + ended[.quarantined, default: 0] > 0
    }
}
