/// When an origin is asked again after a failure: at once while tries bring bytes, else later each time, at a random
/// moment.
public struct OriginRetryPolicy: Equatable, Sendable {
    /// Longest wait before the second try.
    public var firstSeconds: Double
    /// What the doubled waits stop at.
    public var longestSeconds: Double
    /// Tries without a new byte, the first one included.
    public var maximumTries: Int
    /// Failures since the last new byte.
    public private(set) var failures = 0
    /// A try that brings less does not let the next one start at once: nobody is asked a thousand times for a megabyte.
    public static let promptBytes: Int64 = 4 << 10
    /// What the last try brought is reason enough to go on at once.
    private var isPrompt = false

    public init(
        firstSeconds: Double = 0.5, longestSeconds: Double = 8, maximumTries: Int = 5
    ) {
        self.firstSeconds = firstSeconds
        self.longestSeconds = longestSeconds
        self.maximumTries = maximumTries
    }

    /// What to do after a failure.
    public enum Decision: Equatable, Sendable {
        case retry(afterSeconds: Double)
        case giveUp
    }

    /// A try is over: with new bytes the count begins again.
    ///
    /// - Parameter bytes: How many were new.
    public mutating func tried(bringing bytes: Int64) {
        if bytes > 0 { failures = 0 }
        isPrompt = bytes >= Self.promptBytes
    }

    /// A try failed.
    ///
    /// - Parameters:
    ///   - originSeconds: What the origin asked for (`RetryAfter`, already capped); it is
    ///     waited for at least.
    ///   - random: Between 0 and 1; the whole wait is scaled by it (full jitter).
    /// - Returns: How long to wait, or that tries are used up.
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
