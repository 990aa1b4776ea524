public import TakeupTimeline

/// How the pictures of a video track are stored and meant to be shown.
public struct VideoTraits: Sendable, Equatable, Codable {
    /// Coded size, in pixels, before rotation and pixel aspect.
    public var width: Int
    public var height: Int
    public var sampleAspect: Ratio
    /// How the stored picture is turned for display.
    public var orientation: Orientation
    /// FFmpeg's pixel format name, such as `yuv420p10le`.
    public var pixelFormat: String
    public var bitDepth: Int
    public var hasAlpha: Bool
    public var color: ColorTags
    public var hdr: HDRMetadata?
    /// Dolby Vision profile, when the track carries its metadata.
    public var dolbyVisionProfile: Int?
    public var scan: ScanType
    /// Whether `scan` was judged by the pictures, against or without the source's own word.
    public var isScanJudged: Bool
    /// Frames a second over the whole track; nil when unknown.
    public var averageFrameRate: Ratio?
    /// The finest regular grid that fits the timestamps; nil when unknown.
    public var nominalFrameRate: Ratio?
    public var frameRateMode: FrameTiming
    /// Pictures that the decoder holds back to reorder them.
    public var reorderDelay: Int

    package init(
        width: Int, height: Int, sampleAspect: Ratio, orientation: Orientation,
        pixelFormat: String, bitDepth: Int, hasAlpha: Bool, color: ColorTags,
        hdr: HDRMetadata? = nil, dolbyVisionProfile: Int? = nil, scan: ScanType,
        isScanJudged: Bool, averageFrameRate: Ratio? = nil, nominalFrameRate: Ratio? = nil,
        frameRateMode: FrameTiming, reorderDelay: Int
    ) {
        self.width = width
        self.height = height
        self.sampleAspect = sampleAspect
        self.orientation = orientation
        self.pixelFormat = pixelFormat
        self.bitDepth = bitDepth
        self.hasAlpha = hasAlpha
        self.color = color
        self.hdr = hdr
        self.dolbyVisionProfile = dolbyVisionProfile
        self.scan = scan
        self.isScanJudged = isScanJudged
        self.averageFrameRate = averageFrameRate
        self.nominalFrameRate = nominalFrameRate
        self.frameRateMode = frameRateMode
        self.reorderDelay = reorderDelay
    }

    /// Size in square pixels, upright, in pixels.
    public var displaySize: (width: Int, height: Int) {
        let aspect = sampleAspect.doubleValue > 0 ? sampleAspect.doubleValue : 1
        let wide = max(1, Int((Double(width) * aspect).rounded()))
        return orientation.swapsAxes ? (height, wide) : (wide, height)
    }
}
