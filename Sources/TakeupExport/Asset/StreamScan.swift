internal import TakeupTimeline

/// What reading every packet of one stream found.
struct StreamScan: Sendable, Equatable {
    var packets = 0
    var corruptPackets = 0
    /// Packets before the first keyframe, which no decoder can show.
    var packetsBeforeKey = 0
    var hasSeenKey = false
    /// On the source's continuous clock; nil without a timestamp.
    var start: MediaTime?
    var end: MediaTime?
    var hasTimestamps = true
}
