/// The value of a `Content-Range` field.
///
/// - Note: Source: RFC 9110, 14.4.
public enum ContentRange: Equatable, Sendable {
    /// The byte range that follows, and the total length unless the field says `*`.
    case bytes(Range<Int64>, total: Int64?)
    /// `*/N`: the requested range lies outside the object; `total` is the object's length.
    case unsatisfied(total: Int64)

    /// Parses a field's value.
    ///
    /// - Returns: nil for another unit and for a malformed or impossible value. Examples: a last
    ///   byte before the first or beyond the length; a number that does not fit in 63 bits.
    public init?(_ text: String) {
        let words = FieldText.trimmed(text).split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = FieldText.trimmed(words[1])
            .split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = FieldText.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = FieldText.number(ends[0]),
            let last = FieldText.number(ends[1]), first <= last, last < total ?? .max
        else { return nil }
        self = .bytes(first..<last + 1, total: total)
    }
}

extension ContentRange: CustomStringConvertible {
    /// The field's value.
    public var description: String {
        switch self {
        case .bytes(let range, let total):
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total.map(String.init) ?? "*")"
        case .unsatisfied(let total): "bytes */\(total)"
        }
    }
}
