/// A lease that was taken from a worker that is gone.
public struct RescuedLease: Sendable, Hashable {
    public let lease: Lease
    /// Which try it was, from 1.
    public let attempt: Int
}
