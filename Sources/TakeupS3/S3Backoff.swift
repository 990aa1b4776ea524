/// How long to wait before a request is sent again; pure.
///
/// The delay is a random part of a bound that doubles ("full jitter"), so that many clients do not return at once.
public struct S3Backoff: Sendable, Equatable {
    /// Tries of one request, at least 1.
    public var tries = 6
    /// The first bound, in seconds.
    public var firstSeconds = 0.2
    /// The last bound, in seconds.
    public var longestSeconds = 20.0
    /// The longest wait that a server may ask for, in seconds.
    public var longestAsked = 60.0

    public init() {}

    /// Decides whether and when a request is sent again.
    ///
    /// - Parameters:
    ///   - failed: Tries that failed, from 1.
    ///   - error: The last failure.
    ///   - random: From 0 to 1.
    /// - Returns: Seconds to wait; nil if there is no further try.
    public func delay(after failed: Int, _ error: S3Error, random: Double) -> Double? {
        guard error.isTemporary, failed < tries else { return nil }
        var bound = firstSeconds
        for _ in 1..<max(failed, 1) { bound = min(bound * 2, longestSeconds) }
        return max(min(error.retryAfter ?? 0, longestAsked), bound * random)
    }
}
