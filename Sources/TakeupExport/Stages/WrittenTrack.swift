internal import TakeupTimeline

/// What went into one stream of the output, as the muxer took it.
struct WrittenTrack: Sendable, Equatable {
    var packets = 0
    var bytes: Int64 = 0
    /// Earliest presentation time and latest end, in the output's time.
    var start: MediaTime?
    var end: MediaTime?
    /// How long the packet lasts that is shown longest.
    var longest = MediaTime.zero
}
