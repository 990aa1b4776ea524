internal import TakeupFFmpeg
internal import TakeupTimeline

/// An asset's public description, with further facts for the engine.
struct InspectedAsset: Sendable, Equatable {
    var description: AssetDescription
    var streams: [StreamDescription]
    var timeline: SourceTimeline
    /// Number of packets that each stream must return when read to its end.
    var expectedPackets: [Int: Int]
    /// Number of packets before each stream's first keyframe, in a broadcast that was joined in the
    /// middle.
    var undecodableHead: [Int: Int]
    /// Presentation time of the first keyframe, for video tracks that begin within a GOP.
    ///
    /// Earlier pictures refer to pictures that are missing from the source.
    var openings: [Int: MediaTime] = [:]
    /// Gaps in each stream of a broadcast, on the continuous clock.
    var holes: [Int: [SourceHole]] = [:]
    /// Packets at each stream's ends that a copy leaves out, because no decoder accepts them.
    var unusableEnds: [Int: UnusableEnds] = [:]
    /// Number of packets in each stream that an edit list hides.
    var hiddenPackets: [Int: Int]
    /// Whether the container has no timestamps; pictures then come at the nominal rate.
    var lacksTimestamps: Bool
    /// Whether the container derives its times from the first block's sample rate, even if the rate
    /// changes later.
    var derivesTimes: Bool { ["aac", "ac3", "eac3", "dts"].contains(description.container) }
    /// Whether the container stores decoding times; others store only presentation times.
    var keepsDecodingTimes: Bool {
        description.container.contains("mp4")
            || ["mpegts", "mpeg", "flv", "live_flv", "avi"].contains(description.container)
    }
    /// Whether each stream's packets have presentation times.
    var hasPresentationTimes: [Int: Bool]
    /// Whether each audio stream has no gap, if enough packets were read to know.
    var isContinuous: [Int: Bool] = [:]
    /// Audio streams with wrong timestamps; their blocks follow one another from the first
    /// timestamp on.
    var untimedSound: Set<Int> = []
    /// Video streams without presentation times, shown in decoding order.
    var keepsOrder: Set<Int> = []
    /// Whether every stream can be seeked by its index.
    var isSeekable: Bool
    var firstFrames: [Int: FirstFrame]
    /// Whether a seek by time may land within a packet, as in broadcast streams.
    var landsWithinPackets = false
    /// Streams with several different sample descriptions; a copy would keep only one.
    var variedEntries: Set<Int> = []
    /// Duration of each stream's longest packet, if all packets were read.
    var longestSteps: [Int: MediaTime] = [:]
    /// Bytes of all packets in each stream, if all packets were read.
    var trackBytes: [Int: Int64] = [:]
    /// The number of frames that an MP3 states; nil for other sources.
    var statedFrames: Int?
    /// The number of pictures of a PPM, PGM or PBM file with white space behind the last one; nil
    /// for other sources.
    var picturesBeforeSpace: Int?
    /// The part of the loss between or after existing packets; decoding cannot detect this part.
    var absent: LossReport?
}

extension InspectedAsset {
    /// Returns whether an audio track has no gap; nil if unknown.
    ///
    /// If not all packets were read, the index of an MP4 counts, because it tells players about
    /// gaps.
    func soundContinuity(_ track: Int) -> Bool? {
        let isIndexed =
            description.container.contains("mp4") && expectedPackets[track] != nil
        return isContinuous[track] ?? (isIndexed ? true : nil)
    }

    /// Creates the queue that gives a video track's packets their decoding times.
    func decodeQueue(of track: Int) -> DecodeQueue {
        let depth = streams.first { $0.index == track }?.reorderDelay ?? 0
        return DecodeQueue(DecodeOrder(keepsTimes: keepsDecodingTimes, depth: depth))
    }

    /// Returns a copied track's packets without those at its ends that no decoder accepts.
    func trimmed(_ supply: any PacketSupply, _ track: Int) -> any PacketSupply {
        unusableEnds[track].map { TrimmedPackets(supply, $0) } ?? supply
    }
}
