public import TakeupFiles

/// Where each byte of one read comes from.
public struct RangePlan: Equatable, Sendable {
    /// Adjoining bytes with one source.
    public enum Part: Equatable, Sendable {
        case disk(Range<Int64>)
        case origin(Range<Int64>)
    }

    /// In rising order; together exactly the read, without overlap.
    public let parts: [Part]

    public init(read: Range<Int64>, present: RangeSet) {
        var parts: [Part] = []
        var position = read.lowerBound
        for range in present.intersection(read).ranges {
            if position < range.lowerBound { parts.append(.origin(position..<range.lowerBound)) }
            parts.append(.disk(range))
            position = range.upperBound
        }
        if position < read.upperBound { parts.append(.origin(position..<read.upperBound)) }
        self.parts = parts
    }

    /// What must come from the origin.
    public var originRanges: [Range<Int64>] {
        parts.compactMap { part in
            guard case .origin(let range) = part else { return nil }
            return range
        }
    }
}
