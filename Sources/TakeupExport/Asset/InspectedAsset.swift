internal import TakeupFFmpeg
internal import TakeupTimeline

/// An asset's public description, and what the engine must know besides.
struct InspectedAsset: Sendable, Equatable {
    var description: AssetDescription
    var streams: [StreamDescription]
    var timeline: SourceTimeline
    /// Packets that each stream must give when it is read to the end.
    var expectedPackets: [Int: Int]
    /// Packets before the first keyframe of each stream, in a broadcast that one tuned into midway.
    var undecodableHead: [Int: Int]
    /// When the first keyframe is shown of picture tracks that begin within a group of pictures: what is shown
    /// before it builds on pictures that are not there.
    var openings: [Int: MediaTime] = [:]
    /// Holes of each stream of a broadcast, on the continuous clock.
    var holes: [Int: [SourceHole]] = [:]
    /// Packets of each stream that a copy leaves out, since no decoder takes them.
    var unusableEnds: [Int: UnusableEnds] = [:]
    /// Packets of each stream that an edit list hides.
    var hiddenPackets: [Int: Int]
    /// Whether the container keeps no timestamps: pictures then come at the nominal rate.
    var lacksTimestamps: Bool
    /// Whether the container counts its times at the first block's sample rate, though that may change.
    var derivesTimes: Bool { ["aac", "ac3", "eac3", "dts"].contains(description.container) }
    /// Whether the container tells when packets are decoded; others tell only when they are shown.
    var keepsDecodingTimes: Bool {
        description.container.contains("mp4")
            || ["mpegts", "mpeg", "flv", "live_flv", "avi"].contains(description.container)
    }
    /// Whether packets come with presentation times.
    var hasPresentationTimes: [Int: Bool]
    /// Whether sound has no gap, where as much of it was looked at as tells.
    var isContinuous: [Int: Bool] = [:]
    /// Sound whose times are wrong, so that its blocks follow one another from its first time on.
    var untimedSound: Set<Int> = []
    /// Pictures without presentation times that are shown as they are decoded.
    var keepsOrder: Set<Int> = []
    /// Whether every stream can be sought by its index.
    var isSeekable: Bool
    var firstFrames: [Int: FirstFrame]
    /// Whether a search by time may end within a packet, as in broadcast streams.
    var landsWithinPackets = false
    /// Streams whose samples have several different descriptions, of which a copy would keep one.
    var variedEntries: Set<Int> = []
    /// The longest that a packet of each stream lasts, where all of them were looked at.
    var longestSteps: [Int: MediaTime] = [:]
    /// Bytes of all packets of each stream, where all of them were looked at.
    var trackBytes: [Int: Int64] = [:]
    /// The part of the description's loss that lies between or behind what is there: decoding that cannot count it.
    var absent: LossReport?
}

extension InspectedAsset {
    /// Whether a track of sound has no gap; nil when nobody knows yet.
    ///
    /// Without a look at all packets the index of an MP4 counts, which tells players about its gaps.
    func soundContinuity(_ track: Int) -> Bool? {
        let isIndexed =
            description.container.contains("mp4") && expectedPackets[track] != nil
        return isContinuous[track] ?? (isIndexed ? true : nil)
    }

    /// What gives the packets of a picture track their decoding times.
    func decodeQueue(of track: Int) -> DecodeQueue {
        let depth = streams.first { $0.index == track }?.reorderDelay ?? 0
        return DecodeQueue(DecodeOrder(keepsTimes: keepsDecodingTimes, depth: depth))
    }

    /// Packets of a copied track without those at its ends that no decoder takes.
    func trimmed(_ supply: any PacketSupply, _ track: Int) -> any PacketSupply {
        unusableEnds[track].map { TrimmedPackets(supply, $0) } ?? supply
    }
}
