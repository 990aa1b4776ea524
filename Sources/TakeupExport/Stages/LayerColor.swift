internal import TakeupFFmpeg
internal import TakeupModel
internal import TakeupTimeline

/// Converts a colour as pictures of sRGB are converted.
enum LayerColor {
    private static let side = 32

    /// Returns the samples of the output's planes.
    ///
    /// - Throws: `FFmpegError` with `.buildFilter`, `.filter` or `.allocate`.
    static func samples(
        _ color: PictureColor, _ encoding: VideoEncoding
    ) throws(FFmpegError) -> [Int] {
        guard let format = PixelFormat(named: "gbrp") else {
            throw FFmpegError(.buildFilter, status: .invalidData, subject: "gbrp")
        }
        let frame = try Frame.filled(
            width: side, height: side, format,
            samples: [Int(color.green), Int(color.blue), Int(color.red)])
        var small = encoding
        (small.width, small.height, small.area, small.fit) = (side, side, nil, .fit)
        let traits = VideoTraits(
            width: side, height: side, sampleAspect: Ratio(1, 1), orientation: .upright,
            pixelFormat: format.name, bitDepth: 8, hasAlpha: false, color: ColorTags(), hdr: nil,
            dolbyVisionProfile: nil, scan: .progressive, isScanJudged: false,
            averageFrameRate: nil, nominalFrameRate: nil, frameRateMode: .constant,
            reorderDelay: 0)
        let chain = PictureChain(
            format: frame.videoFormat, traits: traits, encoding: small, deinterlaces: false)
        let graph = try FilterGraph(
            video: frame.videoFormat, timeBase: TimeBase(1, 25), frameRate: nil, chain: chain.text)
        frame.ptsTicks = 0
        try graph.send(frame)
        try graph.finish()
        let converted = try Frame()
        guard try graph.receive(into: converted) else {
            throw FFmpegError(.filter, status: .invalidData, subject: chain.text)
        }
        return converted.firstSamples
    }
}
