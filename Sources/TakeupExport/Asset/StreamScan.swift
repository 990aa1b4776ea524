internal import TakeupTimeline

/// What reading every packet of one stream found.
struct StreamScan: Sendable, Equatable {
    var packets = 0
    /// Packets with bytes missing; the last before a splice, where another stream begins, is not one.
    var corruptPackets = 0
    /// Whether the newest packet seemed damaged and none came behind it.
    var isLastSuspect = false
    /// Packets before the first keyframe, which no decoder can show.
    var packetsBeforeKey = 0
    var hasSeenKey = false
    /// On the source's continuous clock; nil without a timestamp.
    var start: MediaTime?
    var end: MediaTime?
    var hasTimestamps = true
}
