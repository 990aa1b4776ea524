internal import CTakeupFFmpeg
public import TakeupTimeline

/// Runs pictures or sound of one fixed format through a chain of filters.
///
/// Confined to one lane.
public final class FilterGraph {
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private let chain: String

    /// Builds a chain for pictures.
    ///
    /// - Parameters:
    ///   - format: Of every picture to come.
    ///   - timeBase: Of their timestamps.
    ///   - frameRate: Nominal, for filters that need one; nil when unknown.
    ///   - chain: Filters in FFmpeg's syntax, such as `transpose=1,zscale=640:360`.
    ///   - threads: For filters that can use them, at least 1.
    /// - Throws: `FFmpegError` with `.buildFilter`, the chain as its subject.
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

    /// What a source of pictures is told of their colours, where it can be told.
    ///
    /// - Parameters:
    ///   - color: Of every picture to come.
    ///   - version: Of libavfilter; before 10 its source has no such options and takes them from each picture.
    /// - Returns: Options that follow others, in FFmpeg's numbers; empty where nothing is known.
    static func colorArguments(_ color: ColorDescription, version: UInt32) -> String {
        guard version >> 16 >= 10 else { return "" }
        let matrix = color.matrixNumber.map { ":colorspace=\($0)" } ?? ""
        return matrix + (color.rangeNumber.map { ":range=\($0)" } ?? "")
    }

    /// Builds a chain for sound.
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

    /// Ticks of the frames that come out.
    public var timeBase: TimeBase { TimeBase(av_buffersink_get_time_base(sink)) }

    /// Makes every block of sound that comes out, but the last, exactly this long.
    ///
    /// - Parameter samples: A channel, at least 1.
    public func setOutputSamples(_ samples: Int) {
        av_buffersink_set_frame_size(sink, UInt32(samples))
    }

    /// Gives the chain a frame, which is empty afterwards.
    ///
    /// - Throws: `FFmpegError` with `.filter`.
    public func send(_ frame: borrowing Frame) throws(FFmpegError) {
        // The graph knows such a layout by its count alone, and no filter takes it.
        if frame.raw.pointee.ch_layout.order == AV_CHANNEL_ORDER_AMBISONIC {
            frame.raw.pointee.ch_layout.order = AV_CHANNEL_ORDER_UNSPEC
        }
        try check(av_buffersrc_add_frame_flags(source, frame.raw, 0), .filter, chain)
    }

    /// Says that no more frames come.
    public func finish() throws(FFmpegError) {
        try check(av_buffersrc_add_frame_flags(source, nil, 0), .filter, chain)
    }

    /// Takes the next frame.
    ///
    /// - Returns: `false` when the chain needs another frame, or has given its last.
    public func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
        // FFmpeg moves into the frame without letting go of what it holds.
        frame.clear()
        let status = av_buffersink_get_frame(sink, frame.raw)
        if status == takeup_error_again || status == takeup_error_eof { return false }
        try check(status, .filter, chain)
        return true
    }
}
