/// A sign of life for one lease.
public struct Heartbeat: Sendable, Equatable {
    public var lease: Lease
    public var progress: JobProgress?

    public init(_ lease: Lease, progress: JobProgress? = nil) {
        (self.lease, self.progress) = (lease, progress)
    }
}
