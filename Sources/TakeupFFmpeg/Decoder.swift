internal import CTakeupFFmpeg

/// Turns packets of one stream into frames.
///
/// Confined to one lane.
public final class Decoder {
    /// How a decoder is to be run.
    public struct Settings: Sendable, Equatable {
        /// Threads, at least 1; 0 leaves it to FFmpeg.
        public var threads: Int
        public var pixelLimit: Int64
        /// Gives H.264 pictures in decoding order at once: enough for a look at the first one.
        public var isImpatient = false
        /// Leaves the loop filter out: pictures are counted, not looked at.
        public var isRough = false

        public init(threads: Int = 1, pixelLimit: Int64 = InputLimits.standard.pixels) {
            self.threads = threads
            self.pixelLimit = pixelLimit
        }
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let subject: String
    private let complaints = Complaints()

    /// How often it has complained of its input so far, whether or not it went on.
    ///
    /// Only once the libraries' messages go through `LogBridge`.
    public var complaintCount: Int { complaints.count }
    /// The first of what it said; nil when it was content.
    public var firstComplaint: String? { complaints.first }

    /// Opens the decoder of a stream.
    ///
    /// - Parameters:
    ///   - parameters: The stream's.
    ///   - timeBase: Of the packets to come.
    ///   - settings: Threads and limits.
    /// - Throws: `FFmpegError` with `.openDecoder`.
    public init(
        _ parameters: CodecParameters, timeBase: TimeBase, settings: Settings = Settings()
    ) throws(FFmpegError) {
        let name = String(cString: avcodec_get_name(parameters.raw.pointee.codec_id))
        subject = "the \(name) decoder"
        context = nil
        guard let codec = Self.preferred(parameters) else {
            throw FFmpegError(.openDecoder, status: .decoderNotFound, subject: name)
        }
        context = avcodec_alloc_context3(codec)
        guard let raw = context else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: subject)
        }
        try check(avcodec_parameters_to_context(raw, parameters.raw), .openDecoder, subject)
        raw.pointee.pkt_timebase = timeBase.rational
        // Copied into the contexts of all its threads, which end before this does.
        raw.pointee.opaque = Unmanaged.passUnretained(complaints).toOpaque()
        raw.pointee.thread_count = Int32(settings.threads)
        raw.pointee.max_pixels = settings.pixelLimit
        if settings.isImpatient, codec.pointee.id == AV_CODEC_ID_H264 {
            raw.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
        }
        raw.pointee.err_recognition |= Self.checks(codec.pointee.id)
        if settings.isRough { raw.pointee.skip_loop_filter = AVDISCARD_ALL }
        try check(avcodec_open2(raw, codec, nil), .openDecoder, subject)
    }

    deinit {
        avcodec_free_context(&context)
    }

    /// FFmpeg's own AV1 decoder needs hardware, and its own VP8 and VP9 know no alpha.
    private static func preferred(_ parameters: CodecParameters) -> UnsafePointer<AVCodec>? {
        let codec = parameters.raw.pointee.codec_id
        let name: String? =
            switch codec {
            case AV_CODEC_ID_AV1: "libdav1d"
            case AV_CODEC_ID_VP8 where parameters.hasAlphaLayer: "libvpx"
            case AV_CODEC_ID_VP9 where parameters.hasAlphaLayer: "libvpx-vp9"
            default: nil
            }
        if let name, let better = avcodec_find_decoder_by_name(name) { return better }
        return avcodec_find_decoder(codec)
    }

    /// What is checked of sound: blocks whose checksum is wrong are refused, where no encoder gets it wrong.
    ///
    /// FFmpeg decodes them otherwise. Those of AC-3 must not be played (ATSC A/52 §7.10); some encoders of MP3 write
    /// wrong ones.
    private static func checks(_ codec: AVCodecID) -> Int32 {
        switch codec {
        case AV_CODEC_ID_FLAC, AV_CODEC_ID_TTA, AV_CODEC_ID_WAVPACK, AV_CODEC_ID_AC3,
            AV_CODEC_ID_EAC3:
            AV_EF_CRCCHECK | AV_EF_EXPLODE
        default: 0
        }
    }

    private var raw: UnsafeMutablePointer<AVCodecContext> {
        guard let context else { preconditionFailure("an open decoder has a context") }
        return context
    }

    /// Gives the decoder a packet.
    ///
    /// - Returns: `false` when frames must be taken first; the packet was then not taken.
    /// - Throws: `FFmpegError` with `.decode`; the decoder can go on with the next packet.
    public func send(_ packet: borrowing Packet) throws(FFmpegError) -> Bool {
        try accepted(avcodec_send_packet(raw, packet.raw))
    }

    /// Says that no more packets come.
    public func finish() throws(FFmpegError) {
        _ = try accepted(avcodec_send_packet(raw, nil))
    }

    /// Takes the next frame.
    ///
    /// - Returns: `false` when the decoder needs another packet, or has given its last frame.
    /// - Throws: `FFmpegError` with `.decode`; the decoder can go on.
    public func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
        let status = avcodec_receive_frame(raw, frame.raw)
        if status == takeup_error_again || status == takeup_error_eof { return false }
        try check(status, .decode, subject)
        return true
    }

    private func accepted(_ status: Int32) throws(FFmpegError) -> Bool {
        if status == takeup_error_again { return false }
        if status == takeup_error_eof { return true }
        try check(status, .decode, subject)
        return true
    }
}
