/// Detects that a body was too slow over the last seconds.
struct SpeedWatch {
    /// Number of bytes at a point in time.
    private struct Mark {
        let seconds: Double
        let bytes: Int64
    }

    /// Number of marks over the watched time, which sets the precision.
    private static let steps = 32.0

    private let leastBytes: Double
    private let spanSeconds: Double
    private var marks: [Mark] = []

    init(_ limits: TransferLimits) {
        spanSeconds = limits.lowSpeedSeconds
        leastBytes = Double(limits.lowSpeedBytesPerSecond) * limits.lowSpeedSeconds
    }

    /// Records the progress of the body.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the body so far.
    ///   - seconds: Seconds since the body began, without the time that the origin had to wait.
    /// - Returns: Whether fewer than the minimum number of bytes arrived in the watched time.
    mutating func isTooSlow(bytes: Int64, at seconds: Double) -> Bool {
        if marks.last.map({ seconds - $0.seconds >= spanSeconds / Self.steps }) ?? true {
            marks.append(Mark(seconds: seconds, bytes: bytes))
        }
        while marks.count > 1, seconds - marks[1].seconds >= spanSeconds { marks.removeFirst() }
        guard let first = marks.first, seconds - first.seconds >= spanSeconds else { return false }
        return Double(bytes - first.bytes) < leastBytes
    }
}
