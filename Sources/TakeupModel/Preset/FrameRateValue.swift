/// An exact frame rate, in frames per second, written `30` or `30000/1001`.
public struct FrameRateValue: Sendable, Equatable, CustomStringConvertible {
    /// The rates that a preset may ask for, in frames per second.
    public static let range: ClosedRange<Double> = 1...240

    private static let largestTerm = 1_000_000

    public let numerator: Int
    public let denominator: Int

    /// Reads a rate and reduces it to lowest terms.
    ///
    /// - Returns: nil unless the text is one whole number or two with a `/` between them, each from
    ///   1 to 1,000,000, and the rate lies in `range`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let numerator = Self.term(first) else { return nil }
        var denominator = 1
        if parts.count == 2 {
            guard let second = Self.term(parts[1]) else { return nil }
            denominator = second
        }
        guard Self.range.contains(Double(numerator) / Double(denominator)) else { return nil }
        let divisor = Self.commonDivisor(numerator, denominator)
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// The nearest floating-point number, in frames per second.
    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

    public var description: String {
        denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)"
    }

    private static func term(_ text: Substring) -> Int? {
        guard text.utf8.count <= 7, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int(text), (1...largestTerm).contains(value)
        else { return nil }
        return value
    }

    private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
        var (larger, smaller) = (first, second)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        return larger
    }
}

extension FrameRateValue: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: #"needs a frame rate such as "30" or "30000/1001""#))
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
