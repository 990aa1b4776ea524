public import TakeupModel

/// What became of a job that was submitted.
public enum Acceptance: Sendable, Equatable {
    case accepted
    /// The same job waits or runs already.
    case duplicate(JobState)
    /// The same job succeeded before; its worker will look whether the result is still there.
    case again
    /// The id belongs to a different job that waits or runs.
    case conflict
    /// No queue takes a job that says this.
    case refused(Failure)
}
