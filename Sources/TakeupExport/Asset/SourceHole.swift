internal import TakeupTimeline

/// A gap in a broadcast stream in which nothing was received.
struct SourceHole: Sendable, Equatable {
    /// Shortest duration of a gap; a shorter one counts as damage.
    static let least = MediaTime(value: 1, timescale: 2)

    var start: MediaTime
    var end: MediaTime
    /// The epoch of the gap's times.
    var epoch: Int
    /// Number of packets next to the gap that may be undecodable: incomplete ones and those before
    /// the next keyframe.
    var packets: Int
    /// Whether a packet next to the gap is incomplete.
    var isMarked: Bool

    var length: MediaTime { end - start }

    /// Moves the gap's times to the source's continuous clock.
    mutating func move(by offsets: [MediaTime]) {
        start = start + offsets[epoch]
        end = end + offsets[epoch]
    }

    func overlaps(_ other: SourceHole) -> Bool { start < other.end && other.start < end }
}
