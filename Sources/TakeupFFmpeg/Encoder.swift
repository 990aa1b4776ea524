internal import CTakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Encodes frames of one fixed format into packets.
///
/// Confined to one lane.
public final class Encoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let subject: String
    /// Whether all encoders of the library in this process share state.
    private let sharesState: Bool
    private var hasFrames = false

    /// A lock for opening and closing encoders that share state.
    ///
    /// Each call takes a fraction of a second and waits for no other encoder.
    ///
    /// SVT-AV1 up to 2.3 keeps the machine's processors in one global pointer. Each encoder that
    /// opens writes through the pointer; each one that closes frees it.
    ///
    /// - Note: Source: SVT-AV1 2.3.0, `Source/Lib/Globals/enc_handle.c`, `lp_group`. FFmpeg does
    ///   not serialize codecs.
    private static let sharedState = Locked(())

    /// Opens an encoder.
    ///
    /// - Throws: `FFmpegError` with `.openEncoder`; `.encoderNotFound` if FFmpeg was built without
    ///   it; `.setOption` with an option that the encoder does not know.
    public init(_ settings: EncoderSettings) throws(FFmpegError) {
        subject = "the \(settings.encoder) encoder"
        sharesState = settings.encoder == "libsvtav1"
        context = nil
        guard let codec = avcodec_find_encoder_by_name(settings.encoder) else {
            throw FFmpegError(.openEncoder, status: .encoderNotFound, subject: settings.encoder)
        }
        context = avcodec_alloc_context3(codec)
        guard let raw = context else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: subject)
        }
        raw.pointee.time_base = settings.timeBase.rational
        raw.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        raw.pointee.thread_count = Int32(settings.threads)
        Self.applyRates(settings, to: raw)
        if let picture = settings.picture { Self.apply(picture, to: raw) }
        if let audio = settings.audio { try Self.apply(audio, to: raw) }
        let options = OptionDictionary(settings.options)
        let status = Self.alone(sharesState) { avcodec_open2(raw, codec, &options.raw) }
        try check(status, .openEncoder, subject)
        if let unknown = options.leftOver {
            throw FFmpegError(
                .setOption, status: .invalidArgument, subject: "\(unknown) of \(subject)")
        }
    }

    deinit {
        // SVT-AV1 1.4 waits forever for its own threads if it is closed before its first frame.
        if sharesState, !hasFrames, let context, avcodec_is_open(context) != 0 {
            Self.sendEmptyPicture(to: context)
        }
        Self.alone(sharesState) { avcodec_free_context(&context) }
    }

    private static func sendEmptyPicture(to context: UnsafeMutablePointer<AVCodecContext>) {
        var picture = av_frame_alloc()
        defer { av_frame_free(&picture) }
        guard let picture else { return }
        picture.pointee.width = context.pointee.width
        picture.pointee.height = context.pointee.height
        picture.pointee.format = context.pointee.pix_fmt.rawValue
        picture.pointee.pts = 0
        guard av_frame_get_buffer(picture, 0) >= 0 else { return }
        avcodec_send_frame(context, picture)
    }

    private static func alone<Value>(_ isNeeded: Bool, _ body: () -> Value) -> Value {
        guard isNeeded else { return body() }
        return sharedState.withLock { _ in body() }
    }

    /// Returns whether FFmpeg was built with an encoder.
    public static func exists(_ name: String) -> Bool {
        avcodec_find_encoder_by_name(name) != nil
    }

    private static func applyRates(
        _ settings: EncoderSettings, to raw: UnsafeMutablePointer<AVCodecContext>
    ) {
        if let bitRate = settings.bitRate { raw.pointee.bit_rate = Int64(bitRate) }
        if let maximum = settings.maxBitRate { raw.pointee.rc_max_rate = Int64(maximum) }
        if let buffer = settings.bufferBits { raw.pointee.rc_buffer_size = Int32(clamping: buffer) }
        if let interval = settings.keyFrameInterval { raw.pointee.gop_size = Int32(interval) }
        switch settings.pass {
        case .only: break
        case .first: raw.pointee.flags |= AV_CODEC_FLAG_PASS1
        case .second: raw.pointee.flags |= AV_CODEC_FLAG_PASS2
        }
    }

    private static func apply(
        _ picture: EncoderSettings.Picture, to raw: UnsafeMutablePointer<AVCodecContext>
    ) {
        raw.pointee.width = Int32(picture.width)
        raw.pointee.height = Int32(picture.height)
        raw.pointee.pix_fmt = picture.pixelFormat.raw
        raw.pointee.sample_aspect_ratio = AVRational(num: picture.statesAspect ? 1 : 0, den: 1)
        if let rate = picture.frameRate, rate.numerator > 0 {
            raw.pointee.framerate = AVRational(
                num: Int32(clamping: rate.numerator), den: Int32(clamping: rate.denominator))
        }
        picture.color.apply(to: raw)
    }

    private static func apply(
        _ audio: AudioFormat, to raw: UnsafeMutablePointer<AVCodecContext>
    ) throws(FFmpegError) {
        raw.pointee.sample_rate = Int32(audio.sampleRate)
        raw.pointee.sample_fmt = audio.sampleFormat.raw
        try audio.layout.copy(to: &raw.pointee.ch_layout)
    }

    private var raw: UnsafeMutablePointer<AVCodecContext> {
        guard let context else { preconditionFailure("an open encoder has a context") }
        return context
    }

    /// Required samples per audio block, except the last; 0 if any number will do.
    public var frameSize: Int { Int(raw.pointee.frame_size) }

    /// Time base of the encoded packets.
    public var timeBase: TimeBase { TimeBase(raw.pointee.time_base) }

    /// Returns the parameters of the encoded stream, for a muxer.
    public func parameters() throws(FFmpegError) -> CodecParameters {
        let parameters = try CodecParameters()
        try check(avcodec_parameters_from_context(parameters.raw, raw), .openEncoder, subject)
        return parameters
    }

    /// Sends a frame to the encoder.
    ///
    /// - Returns: `false` if packets must be received first; the frame was not taken.
    /// - Throws: `FFmpegError` with `.encode`.
    public func send(_ frame: borrowing Frame) throws(FFmpegError) -> Bool {
        // Even a refused frame may have reached the library.
        hasFrames = true
        takeup_frame_forget_opaque(frame.raw)
        let status = avcodec_send_frame(raw, frame.raw)
        if status == takeup_error_again { return false }
        try check(status, .encode, subject)
        return true
    }

    /// Signals the end of the frames.
    public func finish() throws(FFmpegError) {
        // SVT-AV1 1.4 waits forever for packets if it received no frame.
        guard hasFrames || !sharesState else { return }
        try check(avcodec_send_frame(raw, nil), .encode, subject)
    }

    /// Receives the next packet.
    ///
    /// - Returns: `false` if the encoder needs another frame, or has returned its last packet.
    public func receive(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
        let status = avcodec_receive_packet(raw, packet.raw)
        if status == takeup_error_again || status == takeup_error_eof { return false }
        try check(status, .encode, subject)
        return true
    }
}
