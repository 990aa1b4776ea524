/// A ratio of two whole numbers: a frame rate (frames a second), a sample aspect, a time base (seconds).
public struct Ratio: Sendable, Hashable {
    public let numerator: Int64
    /// At least 1.
    public let denominator: Int64

    /// - Precondition: `denominator` is at least 1.
    public init(_ numerator: Int64, _ denominator: Int64) {
        precondition(denominator > 0, "a ratio needs a positive denominator")
        self.numerator = numerator
        self.denominator = denominator
    }

    public var doubleValue: Double { Double(numerator) / Double(denominator) }
}

extension Ratio: CustomStringConvertible {
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
