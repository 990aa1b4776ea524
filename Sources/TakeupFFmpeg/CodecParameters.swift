internal import CTakeupFFmpeg

/// A stream's parameters for a decoder or muxer, owned by this object.
public final class CodecParameters {
    let raw: UnsafeMutablePointer<AVCodecParameters>
    /// Whether VP8 or VP9 packets contain a second picture, which is the first picture's alpha.
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

    /// Codec configuration bytes, for example the body of an `avcC` box or an Annex B header.
    public var extradata: [UInt8] {
        guard let bytes = raw.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(raw.pointee.extradata_size)))
    }

    /// Replaces the codec configuration bytes.
    ///
    /// - Throws: `FFmpegError` with `.allocate`.
    public func setExtradata(_ bytes: [UInt8]) throws(FFmpegError) {
        let padded = bytes + [UInt8](repeating: 0, count: Int(AV_INPUT_BUFFER_PADDING_SIZE))
        let copy = padded.withUnsafeBytes { av_memdup($0.baseAddress, $0.count) }
        guard let copy else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "codec parameters")
        }
        av_freep(&raw.pointee.extradata)
        raw.pointee.extradata = copy.assumingMemoryBound(to: UInt8.self)
        raw.pointee.extradata_size = Int32(bytes.count)
    }

    /// Samples per packet; 0 if the number varies.
    public var frameSize: Int { Int(raw.pointee.frame_size) }
}
