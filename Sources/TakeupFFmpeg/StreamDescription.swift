public import TakeupTimeline

/// Facts copied out of a stream of a container.
public struct StreamDescription: Sendable, Equatable {
    public var index: Int
    public var kind: StreamKind
    /// FFmpeg's name, such as `h264`; `unknown` when there is none.
    public var codec: String
    /// Four characters, when the container has them.
    public var codecTag: String?
    /// The container's code of the codec as a number, such as a transport stream's type; 0 without one.
    public var codecTagNumber = 0
    /// The container's own number of the stream, such as a transport stream's PID.
    public var containerID = 0
    public var profile: String?
    public var hasDecoder: Bool
    public var timeBase: TimeBase
    /// Ticks of `timeBase`.
    public var startTicks: Int64?
    public var durationTicks: Int64?
    /// Packets that the container declares.
    public var declaredPackets: Int?
    /// Bits a second.
    public var bitRate: Int?
    /// Codec configuration bytes of pictures and sound, such as an `avcC` box's body.
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
    /// As FFmpeg says: `progressive`, `tt`, `bb`, `tb`, `bt`, `unknown`.
    public var fieldOrder = "unknown"
    public var averageFrameRate: Ratio?
    public var nominalFrameRate: Ratio?
    public var reorderDelay = 0
    /// Nine numbers of the display matrix; nil when there is none.
    public var displayMatrix: [Int32]?
    public var dolbyVisionProfile: Int?
    public var masteringDisplay: MasteringDisplay?
    public var contentLight: ContentLight?
    public var level = 0
    public var audioFormat: AudioFormat?
}
