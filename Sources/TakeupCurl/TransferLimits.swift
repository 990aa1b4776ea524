/// Limits on the time, speed and size of an answer.
public struct TransferLimits: Equatable, Sendable {
    /// Seconds for name resolution, connection and TLS together.
    public var connectSeconds = 10.0
    /// Seconds from the request's first byte to the end of the answer's head.
    public var headSeconds = 30.0
    /// A speed below this many bytes per second, over `lowSpeedSeconds`, is too slow; 0 for no
    /// limit.
    public var lowSpeedBytesPerSecond: Int64 = 1024
    /// Seconds over which the speed is measured.
    ///
    /// The time of `onBody`, and waits because of `bytesPerSecond`, do not count.
    public var lowSpeedSeconds = 30.0
    /// Seconds from the start to the end of the answer; nil for no limit.
    ///
    /// The time of `onBody`, and waits because of `bytesPerSecond`, do not count.
    public var totalSeconds: Double?
    /// Bytes of all header lines in one answer, including interim heads and trailers.
    public var headBytes = 100 << 10
    /// Size limit of the body, in bytes; nil for no limit.
    public var bodyBytes: Int64?
    /// Highest average speed of the body; nil for no limit.
    public var bytesPerSecond: Int64?

    public init() {}
}
