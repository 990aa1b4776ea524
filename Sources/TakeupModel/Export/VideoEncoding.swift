public import TakeupTimeline

/// How pictures are encoded.
public struct VideoEncoding: Sendable, Equatable, Codable {
    /// FFmpeg's encoder, such as `libx264`.
    public var encoder: String
    /// The output's width in square pixels; both sizes are even.
    public var width: Int
    public var height: Int
    /// How a picture of another shape goes into that size.
    public var fit: FrameFit
    /// FFmpeg's pixel format name.
    public var pixelFormat: String
    /// What every output picture is tagged as.
    public var color: ColorTags
    /// Static HDR metadata that goes with it; nil for SDR.
    public var hdr: HDRMetadata?
    public var isToneMapped: Bool
    public var timing: FrameTimingPlan
    /// Nominal frames a second, for rate control; nil when unknown.
    public var frameRate: Ratio?
    /// Longest distance between keyframes, in frames.
    public var keyFrameInterval: Int
    /// Encoder threads; 0 leaves it to the encoder.
    public var threads: Int
    /// What copied parts of the same track require; nil if all of it is encoded.
    public var match: EncoderMatch?
    /// What pictures may fill, in the middle of a size that the encoder needs; nil for all of it.
    package var area: FrameSize?

    package init(
        encoder: String, width: Int, height: Int, fit: FrameFit, pixelFormat: String,
        color: ColorTags, hdr: HDRMetadata? = nil, isToneMapped: Bool, timing: FrameTimingPlan,
        frameRate: Ratio? = nil, keyFrameInterval: Int, threads: Int, match: EncoderMatch? = nil,
        area: FrameSize? = nil
    ) {
        self.encoder = encoder
        self.width = width
        self.height = height
        self.fit = fit
        self.pixelFormat = pixelFormat
        self.color = color
        self.hdr = hdr
        self.isToneMapped = isToneMapped
        self.timing = timing
        self.frameRate = frameRate
        self.keyFrameInterval = keyFrameInterval
        self.threads = threads
        self.match = match
        self.area = area
    }
}
