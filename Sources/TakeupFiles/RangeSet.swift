/// Which bytes are here: sorted half-open ranges that neither overlap nor touch.
public struct RangeSet: Equatable, Sendable {
    /// In rising order, none empty, with at least one byte between neighbours.
    public private(set) var ranges: [Range<Int64>] = []

    public init(_ ranges: some Sequence<Range<Int64>> = []) {
        for range in ranges { insert(range) }
    }

    public var isEmpty: Bool { ranges.isEmpty }

    /// How many bytes all ranges have together.
    public var byteCount: Int64 {
        ranges.reduce(0) { $0 + Int64($1.count) }
    }

    /// Adds a range; an empty one changes nothing.
    public mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let start = firstIndex { $0.upperBound >= range.lowerBound }
        var end = start
        var joined = range
        while end < ranges.count, ranges[end].lowerBound <= range.upperBound {
            let lower = min(joined.lowerBound, ranges[end].lowerBound)
            joined = lower..<max(joined.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(joined))
    }

    /// Takes a range away; what is not here is left out silently.
    public mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let start = firstIndex { $0.upperBound > range.lowerBound }
        var end = start
        var kept: [Range<Int64>] = []
        while end < ranges.count, ranges[end].lowerBound < range.upperBound {
            let present = ranges[end]
            if present.lowerBound < range.lowerBound {
                kept.append(present.lowerBound..<range.lowerBound)
            }
            if present.upperBound > range.upperBound {
                kept.append(range.upperBound..<present.upperBound)
            }
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: kept)
    }

    /// Whether every byte of a range is here; true for an empty one.
    public func contains(_ range: Range<Int64>) -> Bool {
        range.isEmpty || prefixEnd(from: range.lowerBound) >= range.upperBound
    }

    /// Where the bytes that are here without a hole from an offset on end.
    ///
    /// - Returns: The offset itself when its byte is not here.
    public func prefixEnd(from offset: Int64) -> Int64 {
        let index = firstIndex { $0.upperBound > offset }
        guard index < ranges.count, ranges[index].lowerBound <= offset else { return offset }
        return ranges[index].upperBound
    }

    /// What is here of a range.
    public func intersection(_ range: Range<Int64>) -> RangeSet {
        var common = RangeSet()
        var index = firstIndex { $0.upperBound > range.lowerBound }
        while index < ranges.count, ranges[index].lowerBound < range.upperBound {
            let part = ranges[index].clamped(to: range)
            if !part.isEmpty { common.ranges.append(part) }
            index += 1
        }
        return common
    }

    /// The first range for which a test holds that, once true, stays true.
    private func firstIndex(where holds: (Range<Int64>) -> Bool) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = low + (high - low) / 2
            if holds(ranges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
