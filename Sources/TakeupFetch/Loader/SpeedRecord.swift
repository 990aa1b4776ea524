/// Speed statistics of a session's transfers, in bytes per second.
///
/// - Note: Source: Welford's sums.
struct SpeedRecord: Equatable {
    /// The smallest counted transfer, in bytes; the speed of a shorter one depends on the
    /// connection setup.
    private static let leastBytes: Int64 = 64 << 10

    private var count = 0.0
    private var mean = 0.0
    private var squares = 0.0
    private(set) var least: Double?
    private(set) var most: Double?

    mutating func note(bytes: Int64, seconds: Double) {
        guard bytes >= Self.leastBytes, seconds > 0 else { return }
        let speed = Double(bytes) / seconds
        count += 1
        let distance = speed - mean
        mean += distance / count
        squares += distance * (speed - mean)
        (least, most) = (min(least ?? speed, speed), max(most ?? speed, speed))
    }

    /// Standard deviation of the speed, in bytes per second; nil for fewer than two transfers.
    var deviation: Double? { count < 2 ? nil : (squares / (count - 1)).squareRoot() }
}
