internal import CTakeupFFmpeg
public import TakeupTimeline

/// Filters pictures or sound of one fixed format through a chain of filters.
///
/// Confined to one lane.
public final class FilterGraph {
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private let chain: String

    /// Builds a filter chain for pictures.
    ///
    /// - Parameters:
    ///   - format: Format of every picture.
    ///   - timeBase: Time base of the pictures' timestamps.
    ///   - frameRate: Nominal frame rate, for filters that need one; nil if unknown.
    ///   - chain: Filters in FFmpeg's syntax, for example `transpose=1,zscale=640:360`.
    ///   - threads: Number of threads for filters that can use them, at least 1.
    /// - Throws: `FFmpegError` with `.buildFilter`, with the chain as its subject.
    public convenience init(
        video format: VideoFormat, timeBase: TimeBase, frameRate: Ratio?, chain: String,
        threads: Int = 1
    ) throws(FFmpegError) {
        let aspect = format.sampleAspect.numerator > 0 ? format.sampleAspect : Ratio(1, 1)
        var arguments =
            "video_size=\(format.width)x\(format.height):pix_fmt=\(format.pixelFormat.name)"
            + ":time_base=\(timeBase.numerator)/\(timeBase.denominator)"
            + ":pixel_aspect=\(aspect.numerator)/\(aspect.denominator)"
        if let frameRate {
            arguments += ":frame_rate=\(frameRate.numerator)/\(frameRate.denominator)"
        }
        arguments += Self.colorArguments(format.color, version: avfilter_version())
        try self.init("buffer", arguments, "buffersink", chain, threads)
    }

    /// Returns the colour options of the chain's picture source, as far as its version supports
    /// them.
    ///
    /// - Parameters:
    ///   - color: Colour tags of every picture.
    ///   - version: Version of libavfilter; before 10, the source has no colour options and reads
    ///     each picture's tags.
    /// - Returns: Options to append, in FFmpeg's numbers; empty if nothing is known.
    static func colorArguments(_ color: ColorDescription, version: UInt32) -> String {
        guard version >> 16 >= 10 else { return "" }
        let matrix = color.matrixNumber.map { ":colorspace=\($0)" } ?? ""
        return matrix + (color.rangeNumber.map { ":range=\($0)" } ?? "")
    }

    /// Builds a filter chain for sound.
    public convenience init(
        audio format: AudioFormat, timeBase: TimeBase, chain: String
    ) throws(FFmpegError) {
        let layout =
            format.layout.name.map { "channel_layout=\($0)" }
            ?? "channels=\(format.layout.channels)"
        let arguments =
            "sample_rate=\(format.sampleRate):sample_fmt=\(format.sampleFormat.name):\(layout)"
            + ":time_base=\(timeBase.numerator)/\(timeBase.denominator)"
        try self.init("abuffer", arguments, "abuffersink", chain, 1)
    }

    private init(
        _ sourceName: String, _ arguments: String, _ sinkName: String, _ chain: String,
        _ threads: Int
    ) throws(FFmpegError) {
        self.chain = chain
        graph = avfilter_graph_alloc()
        guard let graph else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: chain)
        }
        graph.pointee.nb_threads = Int32(threads)
        try check(
            avfilter_graph_create_filter(
                &source, avfilter_get_by_name(sourceName), "in", arguments, nil, graph),
            .buildFilter, arguments)
        try check(
            avfilter_graph_create_filter(
                &sink, avfilter_get_by_name(sinkName), "out", nil, nil, graph),
            .buildFilter, sinkName)
        try parse(into: graph)
        try check(avfilter_graph_config(graph, nil), .buildFilter, chain)
    }

    deinit {
        avfilter_graph_free(&graph)
    }

    private func parse(into graph: UnsafeMutablePointer<AVFilterGraph>) throws(FFmpegError) {
        var outputs = avfilter_inout_alloc()
        var inputs = avfilter_inout_alloc()
        defer {
            avfilter_inout_free(&outputs)
            avfilter_inout_free(&inputs)
        }
        guard let first = outputs, let last = inputs else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: chain)
        }
        first.pointee.name = av_strdup("in")
        first.pointee.filter_ctx = source
        last.pointee.name = av_strdup("out")
        last.pointee.filter_ctx = sink
        try check(
            avfilter_graph_parse_ptr(graph, chain, &inputs, &outputs, nil), .buildFilter, chain)
    }

    /// Time base of the filtered frames.
    public var timeBase: TimeBase { TimeBase(av_buffersink_get_time_base(sink)) }

    /// Sets the length of every output block of sound except the last.
    ///
    /// - Parameter samples: Samples per channel, at least 1.
    public func setOutputSamples(_ samples: Int) {
        av_buffersink_set_frame_size(sink, UInt32(samples))
    }

    /// Sends a frame into the chain; the frame is empty afterwards.
    ///
    /// - Throws: `FFmpegError` with `.filter`.
    public func send(_ frame: borrowing Frame) throws(FFmpegError) {
        // The graph knows an Ambisonics layout only by its channel count, and no filter accepts it.
        if frame.raw.pointee.ch_layout.order == AV_CHANNEL_ORDER_AMBISONIC {
            frame.raw.pointee.ch_layout.order = AV_CHANNEL_ORDER_UNSPEC
        }
        try check(av_buffersrc_add_frame_flags(source, frame.raw, 0), .filter, chain)
    }

    /// Signals the end of the frames.
    public func finish() throws(FFmpegError) {
        try check(av_buffersrc_add_frame_flags(source, nil, 0), .filter, chain)
    }

    /// Receives the next filtered frame.
    ///
    /// - Returns: `false` if the chain needs another frame, or has returned its last one.
    public func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
        // FFmpeg moves its data into the frame without freeing the old payload.
        frame.clear()
        let status = av_buffersink_get_frame(sink, frame.raw)
        if status == takeup_error_again || status == takeup_error_eof { return false }
        try check(status, .filter, chain)
        return true
    }
}
