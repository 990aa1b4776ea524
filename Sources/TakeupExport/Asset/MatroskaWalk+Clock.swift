internal import TakeupTimeline

extension MatroskaWalk {
    private static let information: Int64 = 0x1549_A966
    private static let scale: Int64 = 0x2AD7B1
    private static let time: Int64 = 0xE7
    private static let secondNanoseconds: Int64 = 1_000_000_000
    /// Default length of a cluster timestamp tick, in nanoseconds.
    private static let usualNanoseconds: Int64 = 1_000_000

    /// A fault in the timestamps of a file.
    enum ClockFault: Equatable {
        /// A cluster is earlier than a previous one: the clock restarts at this cluster.
        case restart
        /// A cluster begins with a block before 0; FFmpeg gives this block no timestamp.
        case beforeZero
    }

    /// - Returns: The first fault of the cluster timestamps; nil if there is none.
    /// - Note: Source: RFC 9559 §5.1.2.9 and §5.1.3.1.
    func clockFault() -> ClockFault? {
        guard let header = element(at: 0), let size = header.size,
            let segment = element(at: header.body + size), segment.id == Self.segment
        else { return nil }
        let end = segment.size.map { min(window.size, segment.body + $0) } ?? window.size
        var tick = Self.usualNanoseconds
        var latest: MediaTime?
        var place = segment.body
        while place < end, let next = element(at: place) {
            if [Self.cluster, Self.information].contains(next.id) {
                // The timestamp is among the first elements of a cluster, and the cluster's size
                // may be unknown.
                let limit = next.id == Self.cluster ? Self.mostHeads : Self.mostElements
                let id = next.id == Self.cluster ? Self.time : Self.scale
                let value = number(id, in: next, limit: limit)
                if next.id == Self.information {
                    tick = value ?? tick
                } else if let value {
                    let (nanoseconds, overflow) = value.multipliedReportingOverflow(by: tick)
                    guard !overflow else { return nil }
                    let now = MediaTime(value: nanoseconds, timescale: Self.secondNanoseconds)
                    if value.addingClamped(lead(in: next)) < -Self.mostLead { return .beforeZero }
                    if let latest, now - latest < -EpochTracker.backwardLimit { return .restart }
                    latest = max(latest ?? now, now)
                }
            }
            guard let size = next.size ?? (next.id == Self.cluster ? 0 : nil) else { return nil }
            place = next.body + size
        }
        return nil
    }

    /// How far before 0 a block may be, in cluster ticks.
    private static let mostLead: Int64 = 100
    private static let blocks: Set<Int64> = [0xA3, 0xA1]
    private static let blockGroup: Int64 = 0xA0

    /// Returns the timestamp of a cluster's first block, relative to the cluster's timestamp.
    private func lead(in cluster: Element) -> Int64 {
        let end = cluster.size.map { cluster.body + $0 } ?? window.size
        var (place, rest) = (cluster.body, Self.mostHeads)
        while place < end, rest > 0, let next = element(at: place), let size = next.size {
            if Self.blocks.contains(next.id), let mark = window[next.body] {
                // The track number comes first; the leading bits give its length.
                let time = next.body + Int64(mark.leadingZeroBitCount + 1)
                return window.number(at: time, bytes: 2)
                    .map { Int64(Int16(truncatingIfNeeded: $0)) } ?? 0
            }
            place = next.id == Self.blockGroup ? next.body : next.body + size
            rest -= 1
        }
        return 0
    }

    /// Number of first elements in a cluster to search for its timestamp.
    private static let mostHeads = 8

    private func number(_ id: Int64, in parent: Element, limit: Int) -> Int64? {
        let end = parent.size.map { parent.body + $0 } ?? window.size
        var (place, rest) = (parent.body, limit)
        while place < end, rest > 0, let next = element(at: place), let size = next.size {
            if next.id == id { return window.number(at: next.body, bytes: min(8, size)) }
            place = next.body + size
            rest -= 1
        }
        return nil
    }
}
