internal import CTakeupFFmpeg

/// Determines from packets, without decoding, whether presentation order equals decoding order.
///
/// Confined to one lane.
public final class PictureOrder {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let codec: AVCodecID
    private var last: Int32?
    /// Whether presentation order has equalled decoding order so far.
    public private(set) var isKept = true

    /// Starts with a track; fails for a codec whose packets do not tell their order.
    public init?(_ parameters: CodecParameters) {
        codec = parameters.raw.pointee.codec_id
        let known = [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG4, AV_CODEC_ID_MPEG1VIDEO,
            AV_CODEC_ID_MPEG2VIDEO,
        ]
        guard known.contains(codec), let parser = av_parser_init(Int32(codec.rawValue)) else {
            return nil
        }
        guard let context = avcodec_alloc_context3(nil) else {
            av_parser_close(parser)
            return nil
        }
        self.parser = parser
        self.context = context
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        avcodec_parameters_to_context(context, parameters.raw)
    }

    deinit {
        av_parser_close(parser)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Examines the track's next packet.
    public func add(_ packet: borrowing Packet) {
        guard isKept, packet.byteCount > 0, let bytes = packet.raw.pointee.data else { return }
        var (out, count): (UnsafeMutablePointer<UInt8>?, Int32) = (nil, 0)
        av_parser_parse2(
            parser, context, &out, &count, bytes, packet.raw.pointee.size,
            packet.raw.pointee.pts, packet.raw.pointee.dts, packet.raw.pointee.pos)
        if codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC {
            let order = parser.pointee.output_picture_number
            if let last, order <= last, !packet.isKey { isKept = false }
            last = order
        } else {
            let isBidirectional = parser.pointee.pict_type == Int32(AV_PICTURE_TYPE_B.rawValue)
            if isBidirectional || isPacked(bytes, packet.byteCount) { isKept = false }
        }
    }

    /// Returns whether an MPEG-4 packet holds two pictures, as DivX and XviD pack B-frames.
    ///
    /// - Note: Source: ISO/IEC 14496-2 §6.2.1: `vop_start_code`.
    private func isPacked(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard codec == AV_CODEC_ID_MPEG4, count > 4 else { return false }
        var pictures = 0
        var zeros = 0
        for place in 0..<count - 1 {
            if bytes[place] == 1, zeros >= 2, bytes[place + 1] == 0xB6 { pictures += 1 }
            zeros = bytes[place] == 0 ? zeros + 1 : 0
        }
        return pictures > 1
    }
}
