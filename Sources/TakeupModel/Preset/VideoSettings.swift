/// How a preset limits and codes the picture.
///
/// Sizes and rates are limits: a smaller or slower source keeps its own.
public struct VideoSettings: Sendable, Equatable {
    public var codec: VideoCodec

    /// The widest picture, in display pixels, 16 to 16384; nil sets no limit.
    public var maxWidth: Int?

    /// The tallest picture, in display pixels, 16 to 16384; nil sets no limit.
    public var maxHeight: Int?

    public var orientation: BoxOrientation = .any

    /// How the picture fills `maxWidth` and `maxHeight`; anything but `.fit` needs both.
    public var fit: FrameFit = .fit

    /// Constant rate factor: 1 to 51 for H.264 and HEVC, a whole number to 63 for AV1; less is better.
    public var crf: Double

    /// The encoder's own preset: `ultrafast` to `placebo`, for AV1 `0` (slowest) to `13`.
    public var speed: String

    /// The profile to keep within; nil lets the encoder choose.
    public var profile: String?

    /// The most bits per sample that the output may have: 8 or 10.
    public var bitDepth: Int

    public var dynamicRange: DynamicRange

    /// The highest bit rate over `bufferSeconds`, in bits per second, 32,000 to 800,000,000; nil sets no cap.
    public var maxBitRate: Int?

    /// The decoder buffer that `maxBitRate` is measured over, in seconds of it, 0.1 to 10.
    public var bufferSeconds: Double = 1.5

    /// The longest distance between keyframes, in seconds, 0.1 to 60.
    public var keyframeSeconds: Double = 4

    /// The most frames per second, 1 to 240; nil keeps the source's rate.
    public var maxFrameRate: Double?

    public var frameRateMode: FrameRateMode = .source

    /// The rate of `.constant`; nil takes the source's nominal rate.
    public var frameRate: FrameRateValue?

    public var deinterlace: Deinterlace

    /// The encoder's tuning, such as `film`; nil for none.
    public var tune: String?

    /// Makes settings with the defaults that a preset file gets for the keys it leaves out.
    public init(codec: VideoCodec) {
        self.codec = codec
        crf = codec.defaultCRF
        speed = codec.defaultSpeed
        bitDepth = codec == .copy ? 10 : 8
        dynamicRange = codec == .copy ? .keep : .sdr
        deinterlace = codec == .copy ? .off : .auto
    }
}
