/// What a heartbeat was answered.
public enum Renewal: Sendable, Equatable {
    case kept
    /// The lease goes on so that the worker can stop in order.
    case cancelRequested
    /// Not extended, and not lost: somebody is changing the job, such as a commit that waits for a standby.
    case locked
    case lost
}
