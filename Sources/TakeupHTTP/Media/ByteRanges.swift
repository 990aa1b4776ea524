internal import TakeupFields

/// The ranges that a `Range` field asks for.
///
/// - Note: Source: RFC 9110, 14.1 and 14.2.
public struct ByteRanges: Equatable, Sendable {
    public enum Part: Equatable, Sendable {
        /// From an offset to another one, which belongs to it; to the end without one.
        case from(Int64, through: Int64?)
        /// So many bytes at the end.
        case last(Int64)
    }

    /// More than these are not worth a response of their own.
    public static let mostParts = 16
    /// What a part costs in a response of several: ranges with smaller gaps between them are sent as one.
    public static let partOverhead: Int64 = 100

    public let parts: [Part]

    /// Parses a field's value.
    ///
    /// - Returns: nil for another unit, for anything malformed, for numbers beyond 63 bits, and for more than `mostParts`: the field is then
    ///   ignored, and the answer is the whole.
    public init?(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0].lowercased() == "bytes" else { return nil }
        var parts: [Part] = []
        for element in sides[1].split(separator: ",") {
            let element = FieldText.trimmed(element)
            if element.isEmpty { continue }
            guard parts.count < Self.mostParts, let part = Self.part(element) else { return nil }
            parts.append(part)
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }

    private static func part(_ text: String) -> Part? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty { return FieldText.number(ends[1]).map(Part.last) }
        guard let first = FieldText.number(ends[0]) else { return nil }
        if ends[1].isEmpty { return .from(first, through: nil) }
        guard let last = FieldText.number(ends[1]), first <= last else { return nil }
        return .from(first, through: last)
    }

    /// The bytes of an object that are asked for.
    ///
    /// - Parameter length: The object's, in bytes.
    /// - Returns: In the order of the request; ranges that overlap or nearly touch are one. Empty where none lies in the object.
    public func resolved(length: Int64) -> [Range<Int64>] {
        var result: [Range<Int64>] = []
        for part in parts {
            guard var range = Self.range(part, length) else { continue }
            var place = result.count
            // Joining may bring the joined one near to another.
            while let index = result.firstIndex(where: { Self.isNear($0, range) }) {
                let other = result.remove(at: index)
                range =
                    min(
                        range.lowerBound, other.lowerBound)..<max(
                        range.upperBound, other.upperBound)
                place = min(place, index)
            }
            result.insert(range, at: place)
        }
        return result
    }

    private static func range(_ part: Part, _ length: Int64) -> Range<Int64>? {
        switch part {
        case .last(let count):
            guard count > 0, length > 0 else { return nil }
            return max(0, length - count)..<length
        case .from(let first, let last):
            guard first < length else { return nil }
            return first..<min(last ?? .max - 1, length - 1) + 1
        }
    }

    private static func isNear(_ left: Range<Int64>, _ right: Range<Int64>) -> Bool {
        left.lowerBound - right.upperBound <= partOverhead
            && right.lowerBound - left.upperBound <= partOverhead
    }
}
