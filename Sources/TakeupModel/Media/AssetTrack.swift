public import TakeupTimeline

/// One track of an asset, as its container and its first frames describe it.
public struct AssetTrack: Sendable, Equatable, Codable {
    /// Place in the container, from 0.
    public var index: Int
    public var type: MediaType
    /// FFmpeg's codec name, such as `h264`; `unknown` when the libraries have no name for it.
    public var codec: String
    /// The container's four-character code, when it has one.
    public var codecTag: String?
    public var profile: String?
    /// Whether this machine can decode it.
    public var isDecodable: Bool
    public var isProtected: Bool
    /// First presentation time, in the asset's own time.
    public var startTime: MediaTime
    public var duration: MediaTime?
    /// Samples (packets) that the container's index declares; nil when it has none.
    public var declaredSamples: Int?
    /// Bits a second; nil when unknown.
    public var bitRate: Int?
    /// Where that figure comes from; nil when it is unknown.
    public var bitRateOrigin: BitRateOrigin?
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    public var isForced: Bool
    public var timeBase: Ratio
    public var video: VideoTraits?
    public var audio: AudioTraits?

    package init(
        index: Int, type: MediaType, codec: String, codecTag: String? = nil,
        profile: String? = nil, isDecodable: Bool, isProtected: Bool, startTime: MediaTime,
        duration: MediaTime? = nil, declaredSamples: Int? = nil, bitRate: Int? = nil,
        bitRateOrigin: BitRateOrigin? = nil, language: String? = nil, title: String? = nil,
        isDefault: Bool, isForced: Bool, timeBase: Ratio, video: VideoTraits? = nil,
        audio: AudioTraits? = nil
    ) {
        self.index = index
        self.type = type
        self.codec = codec
        self.codecTag = codecTag
        self.profile = profile
        self.isDecodable = isDecodable
        self.isProtected = isProtected
        self.startTime = startTime
        self.duration = duration
        self.declaredSamples = declaredSamples
        self.bitRate = bitRate
        self.bitRateOrigin = bitRateOrigin
        self.language = language
        self.title = title
        self.isDefault = isDefault
        self.isForced = isForced
        self.timeBase = timeBase
        self.video = video
        self.audio = audio
    }
}
