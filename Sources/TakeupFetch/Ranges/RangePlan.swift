public import TakeupFiles

/// The plan for one read: which bytes come from the disk and which from the origin.
public struct RangePlan: Equatable, Sendable {
    /// Adjacent bytes from the same place.
    public enum Part: Equatable, Sendable {
        case disk(Range<Int64>)
        case origin(Range<Int64>)
    }

    /// The parts in ascending order; together they cover exactly the read, without overlap.
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

    /// The byte ranges that must come from the origin.
    public var originRanges: [Range<Int64>] {
        parts.compactMap { part in
            guard case .origin(let range) = part else { return nil }
            return range
        }
    }
}
