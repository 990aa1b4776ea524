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

    /// What to ask of the origin when only whole blocks are kept: rounded outwards and joined
    /// where blocks touch, so that there are as few requests as can be.
    ///
    /// - Parameters:
    ///   - blockBytes: At least 1.
    ///   - length: The object's length, beyond which nothing is asked; nil when unknown.
    /// - Returns: In rising order, with a block or more between neighbours.
    public func originRanges(blockBytes: Int64, length: Int64?) -> [Range<Int64>] {
        precondition(blockBytes > 0, "a block has bytes")
        var asked = RangeSet()
        for range in originRanges {
            let lower = range.lowerBound / blockBytes * blockBytes
            let blocks = (range.upperBound - 1) / blockBytes + 1
            let (end, overflows) = blocks.multipliedReportingOverflow(by: blockBytes)
            let upper = min(overflows ? .max : end, length ?? .max)
            asked.insert(lower..<max(lower, upper))
        }
        return asked.ranges
    }
}
