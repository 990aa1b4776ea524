public import TakeupTimeline

/// Facts copied from a stream of a container.
public struct StreamDescription: Sendable, Equatable {
    public var index: Int
    public var kind: StreamKind
    /// FFmpeg's codec name, for example `h264`; `unknown` if there is none.
    public var codec: String
    /// The codec tag, four characters; nil if the container has none.
    public var codecTag: String?
    /// The container's codec code as a number, for example a transport stream's stream type; 0 if
    /// none.
    public var codecTagNumber = 0
    /// The container's own stream number, for example a transport stream's PID.
    public var containerID = 0
    public var profile: String?
    public var hasDecoder: Bool
    public var timeBase: TimeBase
    /// Start time, in ticks of `timeBase`.
    public var startTicks: Int64?
    public var durationTicks: Int64?
    /// Number of packets that the container declares.
    public var declaredPackets: Int?
    /// Bits per second.
    public var bitRate: Int?
    /// Codec configuration bytes of video and audio, for example the body of an `avcC` box.
    public var codecHeader: [UInt8] = []
    public var metadata: [String: String]
    public var isDefault: Bool
    public var isForced: Bool
    public var isAttachedPicture: Bool
    public var isEncrypted: Bool

    public var width = 0
    public var height = 0
    public var sampleAspect = Ratio(0, 1)
    public var pixelFormat: PixelFormat?
    public var color = ColorDescription()
    /// FFmpeg's field order: `progressive`, `tt`, `bb`, `tb`, `bt`, `unknown`.
    public var fieldOrder = "unknown"
    public var averageFrameRate: Ratio?
    public var nominalFrameRate: Ratio?
    public var reorderDelay = 0
    /// The display matrix as nine numbers; nil if there is none.
    public var displayMatrix: [Int32]?
    public var dolbyVisionProfile: Int?
    public var masteringDisplay: MasteringDisplay?
    public var contentLight: ContentLight?
    public var level = 0
    public var audioFormat: AudioFormat?
}
