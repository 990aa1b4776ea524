/// One of the eight ways to turn a stored picture for display: a clockwise turn, then a mirror.
public struct Orientation: Sendable, Hashable, Codable {
    public static let upright = Orientation(clockwiseDegrees: 0, isMirrored: false)

    /// 0, 90, 180 or 270.
    public let clockwiseDegrees: Int
    /// Whether the turned picture is then flipped left to right.
    public let isMirrored: Bool

    public init(clockwiseDegrees: Int, isMirrored: Bool) {
        self.clockwiseDegrees = ((clockwiseDegrees % 360) + 360) % 360
        self.isMirrored = isMirrored
    }

    public var swapsAxes: Bool { clockwiseDegrees % 180 == 90 }
}

extension Orientation {
    /// Reads a display matrix, nearest of the eight; nil for one that shows nothing or shears.
    ///
    /// - Parameter matrix: Nine numbers of ISO/IEC 14496-12, row by row; a, b, c, d are 16.16 fixed point.
    /// - Note: Source: ISO/IEC 14496-12 §8.3.2, (x', y') = (a·x + c·y, b·x + d·y), y downwards.
    public init?(matrix: [Int32]) {
        guard matrix.count == 9 else { return nil }
        let (a, b, c, d) = (
            Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4])
        )
        let turned = abs(b) > abs(a)
        let (first, second) = turned ? (b, c) : (a, d)
        guard first != 0, second != 0 else { return nil }
        switch (turned, first > 0, second > 0) {
        case (false, true, true): self.init(clockwiseDegrees: 0, isMirrored: false)
        case (false, false, false): self.init(clockwiseDegrees: 180, isMirrored: false)
        case (false, false, true): self.init(clockwiseDegrees: 0, isMirrored: true)
        case (false, true, false): self.init(clockwiseDegrees: 180, isMirrored: true)
        case (true, true, false): self.init(clockwiseDegrees: 90, isMirrored: false)
        case (true, false, true): self.init(clockwiseDegrees: 270, isMirrored: false)
        case (true, true, true): self.init(clockwiseDegrees: 90, isMirrored: true)
        case (true, false, false): self.init(clockwiseDegrees: 270, isMirrored: true)
        }
    }
}
