internal import CTakeupFFmpeg

/// Decodes packets of one stream into frames.
///
/// Confined to one lane.
public final class Decoder {
    /// Settings of a decoder.
    public struct Settings: Sendable, Equatable {
        /// Number of threads, at least 1; 0 lets FFmpeg choose.
        public var threads: Int
        public var pixelLimit: Int64
        /// Whether H.264 pictures are returned immediately, in decoding order; enough to look at
        /// the first picture.
        public var isImpatient = false
        /// Whether to skip the loop filter, for callers that only count pictures.
        public var isRough = false

        public init(threads: Int = 1, pixelLimit: Int64 = InputLimits.standard.pixels) {
            self.threads = threads
            self.pixelLimit = pixelLimit
        }
    }

    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let subject: String
    private let complaints = Complaints()
    /// Whether a complaint means that the block is damaged.
    ///
    /// The decoder of MLP and TrueHD only logs wrong checksums, and returns the block unmarked.
    private let isComplainingOfDamage: Bool
    /// Number of complaints about earlier packets.
    private var pastComplaints = 0

    /// Number of complaints about the input so far, whether or not the decoder continued.
    ///
    /// Stays 0 unless `LogBridge` receives the libraries' messages.
    public var complaintCount: Int { complaints.count }
    /// The first complaint; nil if there was none.
    public var firstComplaint: String? { complaints.first }

    /// Opens the decoder of a stream.
    ///
    /// - Parameters:
    ///   - parameters: Parameters of the stream.
    ///   - timeBase: Time base of the packets.
    ///   - settings: Threads and limits.
    /// - Throws: `FFmpegError` with `.openDecoder`.
    public init(
        _ parameters: CodecParameters, timeBase: TimeBase, settings: Settings = Settings()
    ) throws(FFmpegError) {
        let name = String(cString: avcodec_get_name(parameters.raw.pointee.codec_id))
        subject = "the \(name) decoder"
        let id = parameters.raw.pointee.codec_id
        isComplainingOfDamage = id == AV_CODEC_ID_TRUEHD || id == AV_CODEC_ID_MLP
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
        // FFmpeg copies the pointer to the contexts of all decoder threads; these end before this
        // object does.
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

    /// Avoids FFmpeg's own AV1 decoder, which needs hardware, and its VP8 and VP9 decoders, which
    /// ignore alpha.
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

    /// Returns the error checks for an audio codec: blocks with a wrong checksum are refused if
    /// encoders write correct ones.
    ///
    /// By default, FFmpeg decodes blocks with a wrong checksum. AC-3 blocks of this kind must not
    /// be played (ATSC A/52 §7.10). Some MP3 encoders write wrong checksums, so MP3 is not checked.
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

    /// Sends a packet to the decoder.
    ///
    /// - Returns: `false` if frames must be received first; the packet was not taken.
    /// - Throws: `FFmpegError` with `.decode`; the decoder can continue with the next packet.
    public func send(_ packet: borrowing Packet) throws(FFmpegError) -> Bool {
        try accepted(avcodec_send_packet(raw, packet.raw))
    }

    /// Signals the end of the packets.
    public func finish() throws(FFmpegError) {
        _ = try accepted(avcodec_send_packet(raw, nil))
    }

    /// Receives the next frame.
    ///
    /// - Returns: `false` if the decoder needs another packet, or has returned its last frame.
    /// - Throws: `FFmpegError` with `.decode`; the decoder can continue.
    public func receive(into frame: borrowing Frame) throws(FFmpegError) -> Bool {
        let status = avcodec_receive_frame(raw, frame.raw)
        if status == takeup_error_again || status == takeup_error_eof { return false }
        defer { pastComplaints = complaints.count }
        try check(status, .decode, subject)
        if isComplainingOfDamage, complaints.count > pastComplaints {
            frame.raw.pointee.decode_error_flags |= FF_DECODE_ERROR_INVALID_BITSTREAM
        }
        return true
    }

    private func accepted(_ status: Int32) throws(FFmpegError) -> Bool {
        if status == takeup_error_again { return false }
        if status == takeup_error_eof { return true }
        if status < 0 { pastComplaints = complaints.count }
        try check(status, .decode, subject)
        return true
    }
}
