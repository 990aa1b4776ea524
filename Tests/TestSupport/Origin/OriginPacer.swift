/// A token bucket: how many bytes may go now so that no more than the rate went by then.
struct OriginPacer {
    private let rate: Double
    private let burst: Double
    private var tokens = 0.0
    private var filledAt: Double

    /// - Parameters:
    ///   - bytesPerSecond: The rate, at least 1.
    ///   - now: A time in seconds, from which on bytes may go.
    init(bytesPerSecond: Int, now: Double) {
        rate = Double(max(1, bytesPerSecond))
        // A thread that wakes late catches up, at most a quarter of a second's worth.
        burst = max(1, rate / 4)
        filledAt = now
    }

    /// How many bytes a piece should have: a fiftieth of a second's worth.
    var pieceBytes: Int { max(1, Int(rate / 50)) }

    /// Takes the tokens for a piece, or says how long to wait for them.
    ///
    /// - Returns: 0 when it may go, else seconds; then ask again.
    mutating func take(_ count: Int, now: Double) -> Double {
        tokens = min(max(burst, Double(count)), tokens + max(0, now - filledAt) * rate)
        filledAt = now
        if tokens >= Double(count) {
            tokens -= Double(count)
            return 0
        }
        return (Double(count) - tokens) / rate
    }
}
