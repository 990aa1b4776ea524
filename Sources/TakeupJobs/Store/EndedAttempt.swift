internal import TakeupModel

/// What is written when an attempt ends, besides the machine's state.
struct EndedAttempt {
    var result: JobResult?
    var fault: Failure?
    var note: String?
    /// The work that it waits for; nil leaves what was noted.
    var workKey: String?
    /// Wait before the next try, where the machine leaves that to the worker.
    var delaySeconds = 0.0
}
