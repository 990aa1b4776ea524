internal import TakeupTimeline

/// What went into one stream of the output, as the muxer took it.
struct WrittenTrack: Sendable, Equatable {
    var packets = 0
    var bytes: Int64 = 0
    /// Earliest presentation time and latest end, in the output's time.
    var start: MediaTime?
    var end: MediaTime?
    /// Decoding time of the first packet, and of the last one with its duration.
    var firstDecode: MediaTime?
    var lastDecode = MediaTime.zero

    /// How long the track lasts in decoding order, which is how MP4 counts.
    var decodeLength: MediaTime { lastDecode - (firstDecode ?? .zero) }
}
