/// A stretch of a video track that is copied between its cuts, or encoded at one.
public struct VideoPart: Sendable, Equatable, Codable {
    /// Where the stretch lies in its source and in the output, in whole ticks of the output's track.
    public var segment: TrackSegment
    /// The packets to copy; nil if the stretch is encoded.
    public var packets: CopiedPackets?

    package init(_ segment: TrackSegment, packets: CopiedPackets? = nil) {
        (self.segment, self.packets) = (segment, packets)
    }

    public var isCopied: Bool { packets != nil }
}

/// Consecutive packets of a source, named by presentation times in ticks of the output's track, counted on the source's
/// clock.
public struct CopiedPackets: Sendable, Equatable, Codable {
    /// Time of the first packet: a picture with which decoding can begin.
    public var entry: Int64
    /// Latest time of all packets.
    public var last: Int64
    /// Time of the packet behind the last one in decoding order; nil at the source's end.
    public var stop: Int64?
    /// When the picture at `last` ends; nil leaves its own duration.
    public var end: Int64?
    /// Highest number of packets that are decoded before one that is shown earlier, as far as known.
    public var depth: Int

    package init(entry: Int64, last: Int64, stop: Int64?, end: Int64?, depth: Int) {
        self.entry = entry
        self.last = last
        self.stop = stop
        self.end = end
        self.depth = depth
    }
}

/// What the encoded parts of an H.264 track share with its copied parts.
public struct EncoderMatch: Sendable, Equatable, Codable {
    /// Id of the encoder's parameter sets, which the copied parts do not use: 0 to 31.
    public var setID: Int
    /// x264's name of the profile.
    public var profile: String
    /// Ten times the level.
    public var level: Int
    /// Highest number of reference pictures, at least 1.
    public var references: Int
    /// Peak bits per second, and the size of the decoder's buffer in bits.
    public var maxBitRate: Int
    public var bufferBits: Int
    /// Whether the pixels' shape is stated.
    public var statesAspect: Bool

    package init(
        setID: Int, profile: String, level: Int, references: Int, maxBitRate: Int,
        bufferBits: Int, statesAspect: Bool
    ) {
        self.setID = setID
        self.profile = profile
        self.level = level
        self.references = references
        self.maxBitRate = maxBitRate
        self.bufferBits = bufferBits
        self.statesAspect = statesAspect
    }
}
