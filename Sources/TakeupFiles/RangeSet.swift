/// A set of bytes as sorted half-open ranges that neither overlap nor touch.
public struct RangeSet: Equatable, Sendable {
    /// The ranges in ascending order, none empty, with at least one byte between neighbours.
    public private(set) var ranges: [Range<Int64>] = []

    public init(_ ranges: some Sequence<Range<Int64>> = []) {
        for range in ranges { insert(range) }
    }

    public var isEmpty: Bool { ranges.isEmpty }

    /// Total number of bytes in all ranges.
    public var byteCount: Int64 {
        ranges.reduce(0) { $0 + Int64($1.count) }
    }

    /// Adds a range; an empty range changes nothing.
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

    /// Removes a range; ignores bytes that are not in the set.
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

    /// Returns whether every byte of a range is in the set; true for an empty range.
    public func contains(_ range: Range<Int64>) -> Bool {
        range.isEmpty || prefixEnd(from: range.lowerBound) >= range.upperBound
    }

    /// Returns the end of the gapless bytes that start at an offset.
    ///
    /// - Returns: The offset itself if its byte is not in the set.
    public func prefixEnd(from offset: Int64) -> Int64 {
        let index = firstIndex { $0.upperBound > offset }
        guard index < ranges.count, ranges[index].lowerBound <= offset else { return offset }
        return ranges[index].upperBound
    }

    /// Returns the part of a range that is in the set.
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

    /// Returns the index of the first range that meets a condition; all later ranges must meet it
    /// too.
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
