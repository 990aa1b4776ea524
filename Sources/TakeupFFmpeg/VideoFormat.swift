internal import CTakeupFFmpeg
public import TakeupTimeline

/// The properties that every picture in one filter graph must share.
public struct VideoFormat: Sendable, Hashable {
    public let width: Int
    public let height: Int
    public let pixelFormat: PixelFormat
    /// Sample aspect ratio; 0/1 if the source gives none.
    public let sampleAspect: Ratio
    public let color: ColorDescription

    public init(
        width: Int, height: Int, pixelFormat: PixelFormat, sampleAspect: Ratio,
        color: ColorDescription
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.sampleAspect = sampleAspect
        self.color = color
    }

    init(_ frame: UnsafePointer<AVFrame>) {
        width = Int(frame.pointee.width)
        height = Int(frame.pointee.height)
        pixelFormat = PixelFormat(AVPixelFormat(frame.pointee.format))
        sampleAspect = Ratio(positive: frame.pointee.sample_aspect_ratio)
        color = ColorDescription(
            primaries: frame.pointee.color_primaries, transfer: frame.pointee.color_trc,
            matrix: frame.pointee.colorspace, range: frame.pointee.color_range,
            chroma: frame.pointee.chroma_location)
    }
}

extension Ratio {
    init(positive rational: AVRational) {
        let isSane = rational.num > 0 && rational.den > 0
        self.init(isSane ? Int64(rational.num) : 0, isSane ? Int64(rational.den) : 1)
    }
}
