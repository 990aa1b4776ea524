internal import CTakeupFFmpeg

/// Converts packets of a text subtitle stream to MP4 timed text (`mov_text`).
///
/// Confined to one lane.
public final class SubtitleConverter {
    /// Size limit of one encoded cue, in bytes.
    private static let cueBytes = 64 * 1024

    private var decoder: UnsafeMutablePointer<AVCodecContext>?
    private var encoder: UnsafeMutablePointer<AVCodecContext>?
    private let subject: String

    /// Opens the stream's decoder and the timed text encoder.
    ///
    /// - Parameters:
    ///   - parameters: The stream's.
    ///   - timeBase: The stream's.
    ///   - first: Of a track that is made of several streams, the converter of the first, which tells the styles.
    /// - Throws: `FFmpegError` with `.openDecoder` or `.openEncoder`; bitmap subtitles cannot
    ///   become text.
    public init(
        _ parameters: CodecParameters, timeBase: TimeBase, after first: SubtitleConverter? = nil
    ) throws(FFmpegError) {
        subject =
            "the \(String(cString: avcodec_get_name(parameters.raw.pointee.codec_id))) subtitles"
        decoder = nil
        encoder = nil
        try openDecoder(parameters, timeBase)
        try openEncoder(first?.decoder ?? decoder)
    }

    deinit {
        avcodec_free_context(&decoder)
        avcodec_free_context(&encoder)
    }

    /// Returns whether the codec's cues are text.
    public static func isText(codec: String) -> Bool {
        guard let facts = avcodec_descriptor_get_by_name(codec) else { return false }
        return facts.pointee.props & AV_CODEC_PROP_TEXT_SUB != 0
    }

    /// Returns the parameters of the converted stream, for a muxer.
    public func parameters() throws(FFmpegError) -> CodecParameters {
        let parameters = try CodecParameters()
        try check(avcodec_parameters_from_context(parameters.raw, encoder), .openEncoder, subject)
        return parameters
    }

    /// Converts one cue.
    ///
    /// - Returns: The encoded cue, its duration in ticks of `timeBase`, from the packet or from the cue itself, and its
    ///   text; nil if the packet holds no cue.
    /// - Throws: `FFmpegError` with `.decode` or `.encode`.
    public func convert(
        _ packet: borrowing Packet, timeBase: TimeBase
    ) throws(FFmpegError) -> (bytes: [UInt8], durationTicks: Int64, text: String)? {
        var cue = AVSubtitle()
        var isComplete: Int32 = 0
        try check(
            avcodec_decode_subtitle2(decoder, &cue, &isComplete, packet.raw), .decode, subject)
        guard isComplete != 0 else { return nil }
        defer { avsubtitle_free(&cue) }
        guard cue.num_rects > 0 else { return nil }
        var ticks = packet.durationTicks
        if ticks <= 0, cue.end_display_time != .max {
            ticks = timeBase.rescale(Int64(cue.end_display_time), from: TimeBase(1, 1000))
        }
        cue.start_display_time = 0
        return (try encode(&cue), ticks, Self.text(cue))
    }

    /// The text of all lines, without what ASS says of their looks.
    private static func text(_ cue: AVSubtitle) -> String {
        (0..<Int(cue.num_rects)).compactMap { place in
            guard let line = cue.rects?[place]?.pointee.ass else { return nil }
            // Eight fields and commas are before it.
            let fields = String(cString: line).split(
                separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
            return fields.last.map { plain($0) }
        }.joined(separator: "\n")
    }

    private static func plain(_ text: Substring) -> String {
        var plain = ""
        var rest = text
        while let character = rest.popFirst() {
            switch (character, rest.first) {
            case ("{", "\\"?): rest = rest.drop { $0 != "}" }.dropFirst()
            case ("\\", "N"?), ("\\", "n"?):
                rest.removeFirst()
                plain.append("\n")
            case ("\\", "h"?):
                rest.removeFirst()
                plain.append("\u{A0}")
            case ("\\", "{"?), ("\\", "}"?): plain.append(rest.removeFirst())
            default: plain.append(character)
            }
        }
        return plain.trimmingSuffix(while: \.isNewline)
    }

    private func encode(_ cue: inout AVSubtitle) throws(FFmpegError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.cueBytes)
        let count = bytes.withUnsafeMutableBufferPointer {
            avcodec_encode_subtitle(encoder, $0.baseAddress, Int32(Self.cueBytes), &cue)
        }
        try check(count, .encode, subject)
        return Array(bytes.prefix(Int(count)))
    }

    private func openDecoder(
        _ parameters: CodecParameters, _ timeBase: TimeBase
    ) throws(FFmpegError) {
        guard let codec = avcodec_find_decoder(parameters.raw.pointee.codec_id) else {
            throw FFmpegError(.openDecoder, status: .decoderNotFound, subject: subject)
        }
        decoder = try allocated(avcodec_alloc_context3(codec), subject)
        try check(avcodec_parameters_to_context(decoder, parameters.raw), .openDecoder, subject)
        decoder?.pointee.pkt_timebase = timeBase.rational
        try check(avcodec_open2(decoder, codec, nil), .openDecoder, subject)
    }

    private func openEncoder(
        _ styles: UnsafeMutablePointer<AVCodecContext>?
    ) throws(FFmpegError) {
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_MOV_TEXT) else {
            throw FFmpegError(.openEncoder, status: .encoderNotFound, subject: "mov_text")
        }
        encoder = try allocated(avcodec_alloc_context3(codec), subject)
        encoder?.pointee.time_base = AVRational(num: 1, den: 1000)
        if let header = styles?.pointee.subtitle_header,
            let size = styles?.pointee.subtitle_header_size,
            let copy = av_mallocz(Int(size) + 1)
        {
            copy.copyMemory(from: header, byteCount: Int(size))
            encoder?.pointee.subtitle_header = copy.assumingMemoryBound(to: UInt8.self)
            encoder?.pointee.subtitle_header_size = size
        }
        try check(avcodec_open2(encoder, codec, nil), .openEncoder, subject)
    }
}

extension String {
    fileprivate func trimmingSuffix(while body: (Character) -> Bool) -> String {
        var rest = self[...]
        while let last = rest.last, body(last) { rest.removeLast() }
        return String(rest)
    }
}
