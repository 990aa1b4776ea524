/// Decides when an origin is asked again after a failure.
///
/// The next try starts at once while tries bring bytes. Otherwise the wait grows, with a random
/// factor.
public struct OriginRetryPolicy: Equatable, Sendable {
    /// Longest wait before the second try, in seconds.
    public var firstSeconds: Double
    /// Upper limit of the doubled waits, in seconds.
    public var longestSeconds: Double
    /// Highest number of tries without a new byte, including the first.
    public var maximumTries: Int
    /// Number of failures since the last new byte.
    public private(set) var failures = 0
    /// Number of new bytes after which the next try starts at once.
    ///
    /// Without this minimum, an origin could get a thousand requests for one megabyte.
    public static let promptBytes: Int64 = 4 << 10
    /// Whether the last try brought enough bytes to retry at once.
    private var isPrompt = false

    public init(
        firstSeconds: Double = 0.5, longestSeconds: Double = 8, maximumTries: Int = 5
    ) {
        self.firstSeconds = firstSeconds
        self.longestSeconds = longestSeconds
        self.maximumTries = maximumTries
    }

    /// The action after a failure.
    public enum Decision: Equatable, Sendable {
        case retry(afterSeconds: Double)
        case giveUp
    }

    /// Records the end of a try; new bytes reset the failure count.
    ///
    /// - Parameter bytes: Number of new bytes.
    public mutating func tried(bringing bytes: Int64) {
        if bytes > 0 { failures = 0 }
        isPrompt = bytes >= Self.promptBytes
    }

    /// Records a failed try and decides what follows.
    ///
    /// - Parameters:
    ///   - originSeconds: The minimum wait that the origin asked for (`RetryAfter`, already
    ///     capped).
    ///   - random: Between 0 and 1; scales the whole wait (full jitter).
    /// - Returns: The wait, or that the tries are used up.
    public mutating func failed(originSeconds: Int64? = nil, random: Double) -> Decision {
        precondition((0...1).contains(random), "jitter lies between 0 and 1")
        if isPrompt {
            isPrompt = false
            return .retry(afterSeconds: Double(originSeconds ?? 0))
        }
        failures += 1
        guard failures < maximumTries else { return .giveUp }
        var longest = firstSeconds
        for _ in 1..<failures { longest = min(longest * 2, longestSeconds) }
        return .retry(afterSeconds: max(longest * random, Double(originSeconds ?? 0)))
    }
}
