/// Sees that a body came too slowly over the last seconds.
struct SpeedWatch {
    /// What had come at a time.
    private struct Mark {
        let seconds: Double
        let bytes: Int64
    }

    /// Marks over the time that is watched: so fine is the answer.
    private static let steps = 32.0

    private let leastBytes: Double
    private let spanSeconds: Double
    private var marks: [Mark] = []

    init(_ limits: TransferLimits) {
        spanSeconds = limits.lowSpeedSeconds
        leastBytes = Double(limits.lowSpeedBytesPerSecond) * limits.lowSpeedSeconds
    }

    /// Notes what has come until now.
    ///
    /// - Parameters:
    ///   - bytes: All of the body.
    ///   - seconds: Since the body began, without the time that the origin had to wait.
    /// - Returns: Whether less than the least came in the time that is watched.
    mutating func isTooSlow(bytes: Int64, at seconds: Double) -> Bool {
        if marks.last.map({ seconds - $0.seconds >= spanSeconds / Self.steps }) ?? true {
            marks.append(Mark(seconds: seconds, bytes: bytes))
        }
        while marks.count > 1, seconds - marks[1].seconds >= spanSeconds { marks.removeFirst() }
        guard let first = marks.first, seconds - first.seconds >= spanSeconds else { return false }
        return Double(bytes - first.bytes) < leastBytes
    }
}
