internal import TakeupFiles

/// Decides what to request next, from the present bytes and the waiting readers.
struct FetchSchedule: Equatable {
    /// A reader at most this many bytes ahead of the running transfer waits for that transfer.
    static let nearBytes: Int64 = 1 << 20
    /// Number of bytes after which a transfer may yield to a reader who waits elsewhere.
    static let quantumBytes: Int64 = 256 << 10
    static let quantumSeconds = 0.5
    /// Remaining seconds below which a transfer is not cancelled.
    static let soonSeconds = 0.05
    static let firstBytes: Int64 = 1 << 20
    static let longestBytes: Int64 = 64 << 20
    /// Smallest read-ahead window, in bytes.
    static let leastAheadBytes: Int64 = 64 << 10

    /// The inputs of a decision.
    struct Demand: Equatable {
        var present: RangeSet
        /// Length of the source, in bytes; nil while unknown.
        var length: Int64?
        /// Offsets that somebody waits for; the longest wait comes first.
        var waiting: [Int64] = []
        /// Current offsets of the readers.
        var positions: [Int64] = []
        var aheadBytes: Int64?
        /// Offset after the last byte that anybody wants; nil where that is not known.
        var endOfRanges: Int64?
        /// Whether somebody wants every byte.
        var wantsAll = false
        var honoursRanges = true
        /// Whether a transfer waits for its readers, so that it may bring all that they will read.
        var waitsForReaders = false
    }

    enum Step: Equatable {
        /// Request these bytes; a nil `to` means everything to the end.
        case fetch(from: Int64, to: Int64?)
        /// Nothing is wanted now.
        case rest
    }

    /// Offset at which the last transfer ended.
    private(set) var lastEnd: Int64 = -1
    private(set) var lastBytes: Int64 = 0
    /// Whether the last transfer was stopped on purpose, for example for a reader who waits
    /// elsewhere.
    private(set) var hasYielded = false

    /// Decides on the next request and remembers its size.
    mutating func next(_ demand: Demand) -> Step {
        guard let start = start(demand) else { return .rest }
        guard demand.honoursRanges else { return .fetch(from: start, to: nil) }
        let isSequential = start == lastEnd && lastBytes > 0
        // A reader who seeks once may seek again, so keep the request small: a cancelled one is
        // fetched twice.
        let isJump = demand.waiting.contains(start)
        let first = isJump ? Self.quantumBytes : Self.firstBytes
        var bytes = isSequential ? min(lastBytes * 2, Self.longestBytes) : first
        if demand.waitsForReaders { bytes = demand.length.map { max(1, $0 - start) } ?? bytes }
        let others = demand.waiting.contains { !isNear($0, start) }
        if others { bytes = Self.quantumBytes }
        lastBytes = bytes
        let block = BlockMap.blockBytes
        var end = (start + bytes + block - 1) / block * block
        if let window = windowEnd(demand), !demand.waitsForReaders {
            end = min(end, max(window, start + 1))
        }
        if let length = demand.length { end = min(end, length) }
        if let wanted = demand.endOfRanges { end = min(end, max(wanted, start + 1)) }
        let plan = RangePlan(read: start..<end, present: demand.present)
        end = plan.originRanges.first?.upperBound ?? end
        return .fetch(from: start, to: end)
    }

    /// Records where a transfer ended.
    mutating func ended(at offset: Int64, hasYielded: Bool = false) {
        (lastEnd, self.hasYielded) = (offset, hasYielded)
    }

    /// Returns whether a running transfer must stop for a reader who waits elsewhere.
    ///
    /// - Parameters:
    ///   - demand: The inputs of the decision.
    ///   - position: Offset of the transfer's next byte.
    ///   - end: Offset after the transfer's last byte; nil if unknown.
    ///   - bytes: Number of bytes that the transfer has brought.
    ///   - seconds: Age of the transfer, in seconds.
    /// - Returns: Whether the transfer yields now.
    static func yields(
        _ demand: Demand, position: Int64, end: Int64?, bytes: Int64, seconds: Double
    ) -> Bool {
        guard demand.honoursRanges else { return false }
        let near = demand.waiting.filter { isNear($0, position) }
        guard near.count < demand.waiting.count else { return false }
        if seconds >= quantumSeconds { return true }
        // Finishing a short rest is cheaper than breaking the connection.
        let left = (end ?? .max) - position
        let isSoonDone = bytes > 0 && Double(left) * seconds <= soonSeconds * Double(bytes)
        guard left > quantumBytes, !isSoonDone else { return false }
        return near.isEmpty || bytes >= quantumBytes
    }

    private static func isNear(_ offset: Int64, _ position: Int64) -> Bool {
        offset >= position && offset - position <= nearBytes
    }

    private func isNear(_ offset: Int64, _ position: Int64) -> Bool {
        Self.isNear(offset, position)
    }

    private func start(_ demand: Demand) -> Int64? {
        let end = demand.length ?? .max
        if !demand.honoursRanges,
            !demand.waiting.isEmpty || demand.wantsAll || !demand.positions.isEmpty
        {
            return gap(from: 0, to: end, demand)
        }
        let missing = demand.waiting.filter { offset in
            offset < end && demand.present.prefixEnd(from: offset) == offset
        }
        let elsewhere = missing.first { !isNear($0, lastEnd) }
        if let offset = (hasYielded ? elsewhere : nil) ?? missing.first { return offset }
        if let window = windowEnd(demand), !demand.wantsAll { return ahead(demand, window) }
        guard demand.wantsAll || !demand.positions.isEmpty else { return nil }
        for place in [lastEnd] + demand.positions.sorted(by: >) where (0..<end).contains(place) {
            if let start = gap(from: place, to: end, demand) { return start }
        }
        return gap(from: 0, to: end, demand)
    }

    /// The first missing byte of a reader's window, once half of the window has been used.
    private func ahead(_ demand: Demand, _ window: Int64) -> Int64? {
        guard let furthest = demand.positions.max(), let ahead = demand.aheadBytes else {
            return nil
        }
        let end = min(window, demand.length ?? .max)
        guard let start = gap(from: furthest, to: end, demand) else { return nil }
        let isSoon = start - furthest <= max(ahead, Self.leastAheadBytes) / 2
        return isSoon ? start : nil
    }

    private func windowEnd(_ demand: Demand) -> Int64? {
        guard let ahead = demand.aheadBytes, !demand.wantsAll,
            let furthest = (demand.positions + demand.waiting).max()
        else { return nil }
        let (end, overflows) = furthest.addingReportingOverflow(max(ahead, Self.leastAheadBytes))
        return overflows ? .max : end
    }

    private func gap(from start: Int64, to end: Int64, _ demand: Demand) -> Int64? {
        guard start < end else { return nil }
        let place = demand.present.prefixEnd(from: start)
        return place < end ? place : nil
    }
}
