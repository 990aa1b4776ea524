public import TakeupTimeline

/// One track of the output as programs read it: no sentence has to be taken apart.
public struct PlannedTrack: Sendable, Equatable, Codable {
    /// What the brightness of pictures means.
    public enum Range: String, Sendable, Codable {
        /// Standard dynamic range.
        case sdr
        /// Perceptual quantiser (SMPTE ST 2084).
        case pq
        /// Hybrid log-gamma.
        case hlg
    }

    public var type: MediaType
    public var isCopied: Bool
    /// FFmpeg's codec name, such as `h264`.
    public var codec: String
    /// As stored, in pixels; nil for sound and text.
    public var width: Int?
    public var height: Int?
    /// Frames a second; nil for a variable rate, sound and text.
    public var frameRate: Ratio?
    public var dynamicRange: Range?
    public var channels: Int?
    public var channelLayout: String?
    /// Samples a second; nil for pictures and text.
    public var sampleRate: Int?
    /// Bits a second, expected of what is encoded; nil where that cannot be told.
    public var bitRate: Int?
    public var language: String?
    public var title: String?
    public var reason: PlanReason
    /// Where it comes from.
    public var origins: [TrackOrigin]
    /// The parts that are copied and those that are encoded; nil if the whole track is one or the other.
    public var parts: [VideoPart]?
    /// The tracks of sound that are mixed; nil for others.
    public var mix: [MixedTrack]?
    /// How the sound gets the preset's loudness; nil for others.
    public var loudness: LoudnessPlan?
    /// The pictures that are laid above each other; nil for others.
    public var layers: [PictureLayer]?
    /// The titles that are drawn on them; nil for others.
    public var titles: [PlacedTitle]?
    /// How many bytes are expected; nil where that cannot be told.
    package var bytes: Double?
    /// The same, rather too many than too few.
    package var mostBytes: Double?
    /// Whether `bytes` are those of packets in the source that were added up.
    package var isMeasured = false

    package init(
        type: MediaType, isCopied: Bool, codec: String, width: Int? = nil, height: Int? = nil,
        frameRate: Ratio? = nil, dynamicRange: Range? = nil, channels: Int? = nil,
        channelLayout: String? = nil, sampleRate: Int? = nil, bitRate: Int? = nil,
        language: String? = nil, title: String? = nil, reason: PlanReason, origins: [TrackOrigin],
        bytes: Double? = nil, mostBytes: Double? = nil, isMeasured: Bool = false
    ) {
        self.type = type
        self.isCopied = isCopied
        self.codec = codec
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.dynamicRange = dynamicRange
        self.channels = channels
        self.channelLayout = channelLayout
        self.sampleRate = sampleRate
        self.bitRate = bitRate
        self.language = language
        self.title = title
        self.reason = reason
        self.origins = origins
        self.bytes = bytes
        self.mostBytes = mostBytes
        self.isMeasured = isMeasured
    }
}

/// A track of one of the session's assets.
public struct TrackOrigin: Sendable, Equatable, Codable {
    /// Which of the assets.
    public var source: Int
    /// Its place in the container, from 0.
    public var track: Int

    package init(source: Int, track: Int) {
        self.source = source
        self.track = track
    }
}

/// A track of a source that does not go into the output.
public struct DroppedTrack: Sendable, Equatable, Codable {
    public var origin: TrackOrigin
    public var type: MediaType
    public var codec: String
    public var reason: PlanReason

    package init(origin: TrackOrigin, type: MediaType, codec: String, reason: PlanReason) {
        self.origin = origin
        self.type = type
        self.codec = codec
        self.reason = reason
    }
}

/// What the source has and the output has not.
public enum PlanLoss: String, Sendable, CaseIterable, Codable {
    /// Pictures are scaled down.
    case resolution
    /// A part of each picture is cut off.
    case edges
    case highDynamicRange, dolbyVision, alpha
    /// Pictures are left out to keep a frame rate.
    case frames
    case channels
    case video, audio, audioTracks, subtitles
}

/// How large an output is expected to become.
public struct ExpectedSize: Sendable, Equatable, Codable {
    public var bytes: Int64
    /// Whether all of it is copied and was measured; else it is an estimate.
    public var isMeasured: Bool

    package init(bytes: Int64, isMeasured: Bool) {
        self.bytes = bytes
        self.isMeasured = isMeasured
    }
}
