internal import CTakeupFFmpeg

/// What a decoder or a muxer must know of a stream, owned.
public final class CodecParameters {
    let raw: UnsafeMutablePointer<AVCodecParameters>
    /// Whether packets of VP8 or VP9 bring a second picture, the first one's alpha.
    var hasAlphaLayer = false

    init() throws(FFmpegError) {
        raw = try allocated(avcodec_parameters_alloc(), "codec parameters")
    }

    convenience init(
        copying other: UnsafePointer<AVCodecParameters>
    ) throws(FFmpegError) {
        try self.init()
        try check(avcodec_parameters_copy(raw, other), .allocate, "codec parameters")
    }

    deinit {
        var raw: UnsafeMutablePointer<AVCodecParameters>? = raw
        avcodec_parameters_free(&raw)
    }

    /// Codec configuration bytes, such as an `avcC` box's body or an Annex B header.
    public var extradata: [UInt8] {
        guard let bytes = raw.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(raw.pointee.extradata_size)))
    }

    /// Samples a packet; 0 when it varies.
    public var frameSize: Int { Int(raw.pointee.frame_size) }
}
