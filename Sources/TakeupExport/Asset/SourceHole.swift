internal import TakeupTimeline

/// A stretch of a broadcast stream in which nothing was received, between two parts that were.
struct SourceHole: Sendable, Equatable {
    /// The shortest that counts as one: what is shorter is damage.
    static let least = MediaTime(value: 1, timescale: 2)

    var start: MediaTime
    var end: MediaTime
    /// Which of the source's clocks tells the times.
    var epoch: Int
    /// Packets beside it that no decoder may be able to show: those that lack bytes, and those before the
    /// next keyframe.
    var packets: Int
    /// Whether a packet beside it lacks bytes.
    var isMarked: Bool

    var length: MediaTime { end - start }

    /// Puts its times on the source's continuous clock.
    mutating func move(by offsets: [MediaTime]) {
        start = start + offsets[epoch]
        end = end + offsets[epoch]
    }

    func overlaps(_ other: SourceHole) -> Bool { start < other.end && other.start < end }
}
