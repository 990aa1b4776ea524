/// How long, how slow and how large an answer may be.
public struct TransferLimits: Equatable, Sendable {
    /// For the name, the connection and its TLS together.
    public var connectSeconds = 10.0
    /// From the request's first byte to the end of the answer's head.
    public var headSeconds = 30.0
    /// Less than this many bytes a second, over `lowSpeedSeconds`, is too slow; 0 for no limit.
    public var lowSpeedBytesPerSecond: Int64 = 1024
    /// The time that `onBody` takes, or that `bytesPerSecond` makes the origin wait, does not
    /// count.
    public var lowSpeedSeconds = 30.0
    /// From the start to the end of the answer, without the time that `onBody` takes or that `bytesPerSecond` makes the
    /// origin wait; nil for no limit.
    public var totalSeconds: Double?
    /// All header lines of one answer, interim heads and trailers with them.
    public var headBytes = 100 << 10
    /// Nil for no limit.
    public var bodyBytes: Int64?
    /// The body is not faster than this on the whole; nil for no limit.
    public var bytesPerSecond: Int64?

    public init() {}
}
