/// What a heartbeat was answered.
public enum Renewal: Sendable, Equatable {
    case kept
    /// The lease goes on so that the worker can stop in order.
    case cancelRequested
    case lost
}
