public import TakeupTimeline

/// One track of the output as programs read it: no sentence has to be taken apart.
public struct PlannedTrack: Sendable, Equatable {
    /// What the brightness of pictures means.
    public enum Range: String, Sendable {
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
    /// How many bytes are expected; nil where that cannot be told.
    var bytes: Double?
    /// The same, rather too many than too few.
    var mostBytes: Double?
    /// Whether `bytes` are those of packets in the source that were added up.
    var isMeasured = false
}

/// A track of one of the session's assets.
public struct TrackOrigin: Sendable, Equatable {
    /// Which of the assets.
    public var source: Int
    /// Its place in the container, from 0.
    public var track: Int
}

/// A track of a source that does not go into the output.
public struct DroppedTrack: Sendable, Equatable {
    public var origin: TrackOrigin
    public var type: MediaType
    public var codec: String
    public var reason: PlanReason
}

/// What the source has and the output has not.
public enum PlanLoss: String, Sendable, CaseIterable {
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
public struct ExpectedSize: Sendable, Equatable {
    public var bytes: Int64
    /// Whether all of it is copied and was measured; else it is an estimate.
    public var isMeasured: Bool
}
