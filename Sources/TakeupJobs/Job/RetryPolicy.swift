/// How long a job waits before its next try: doubling, with full jitter, so that many failures do not come back at once.
public struct RetryPolicy: Sendable, Equatable {
    /// The longest wait after the first failure, in seconds.
    public var baseSeconds: Double
    /// The longest wait at all, in seconds.
    public var mostSeconds: Double

    public init(baseSeconds: Double = 5, mostSeconds: Double = 600) {
        (self.baseSeconds, self.mostSeconds) = (baseSeconds, mostSeconds)
    }

    /// The longest wait after so many failures.
    ///
    /// - Parameter attempt: Failures so far, at least 1.
    /// - Returns: Seconds, at most `mostSeconds`.
    public func ceiling(attempt: Int) -> Double {
        let doublings = min(max(attempt - 1, 0), 30)
        return min(mostSeconds, baseSeconds * Double(1 << doublings))
    }

    /// The wait after so many failures, in seconds.
    ///
    /// - Parameters:
    ///   - attempt: Failures so far, at least 1.
    ///   - random: Evenly spread, from 0 up to 1.
    /// - Returns: From 0 to `ceiling(attempt:)`.
    public func delay(attempt: Int, random: Double) -> Double {
        precondition((0...1).contains(random), "a share lies between 0 and 1")
        return ceiling(attempt: attempt) * random
    }
}
