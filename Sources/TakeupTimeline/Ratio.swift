/// A ratio of two whole numbers: a frame rate (frames per second), a sample aspect ratio, a time
/// base (seconds).
public struct Ratio: Sendable, Hashable {
    public let numerator: Int64
    /// The denominator, at least 1.
    public let denominator: Int64

    /// - Precondition: `denominator` is at least 1.
    public init(_ numerator: Int64, _ denominator: Int64) {
        precondition(denominator > 0, "a ratio needs a positive denominator")
        self.numerator = numerator
        self.denominator = denominator
    }

    public var doubleValue: Double { Double(numerator) / Double(denominator) }
}

extension Ratio: Codable {
    /// Decodes the format of the synthesized encoder.
    ///
    /// - Throws: `DecodingError` for a denominator below 1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let denominator = try container.decode(Int64.self, forKey: .denominator)
        guard denominator > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .denominator, in: container,
                debugDescription: "a ratio needs a positive denominator")
        }
        self.init(try container.decode(Int64.self, forKey: .numerator), denominator)
    }
}

extension Ratio: CustomStringConvertible {
    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }
}
