internal import CTakeupFFmpeg
internal import Foundation
internal import TakeupLanes
public import TakeupTimeline

/// Muxes packets into one container in an open file.
///
/// Confined to one lane.
///
/// Packets must come in the order in which they must lie in the file; the muxer reorders nothing.
public final class Muxer {
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let writer: OutputWriter
    private let descriptor: Int32
    /// A second view of the written file, used while the muxer moves the media.
    private var reader: SourceReader?
    private let subject: String
    private var isHeaderWritten = false

    /// Prepares a container.
    ///
    /// - Parameters:
    ///   - format: FFmpeg's muxer name, for example `mp4`.
    ///   - descriptor: A file open for reading and writing. The caller must close it, after this
    ///     object ends.
    ///   - name: A name for messages.
    /// - Throws: `FFmpegError` with `.createOutput`.
    public init(format: String, descriptor: Int32, name: String) throws(FFmpegError) {
        self.descriptor = descriptor
        writer = try OutputWriter(descriptor)
        subject = name
        try check(
            avformat_alloc_output_context2(&context, nil, format, Self.ownName), .createOutput, name
        )
        raw.pointee.pb = writer.context
        raw.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        serveOwnName()
    }

    /// FFmpeg's name for the output file; this name leads to no other file.
    private static let ownName = "output"

    /// Gives the muxer the same open file again, which it reads to move the media behind the index.
    ///
    /// Every other open request is refused.
    private func serveOwnName() {
        raw.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        raw.pointee.io_open = { context, io, url, flags, _ in
            guard let opaque = context?.pointee.opaque, let io, let url,
                String(cString: url) == Muxer.ownName, flags & AVIO_FLAG_WRITE == 0
            else { return takeup_error_not_permitted }
            return Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue().openReader(io)
        }
        raw.pointee.io_close2 = { context, _ in
            guard let opaque = context?.pointee.opaque else { return 0 }
            Unmanaged<Muxer>.fromOpaque(opaque).takeUnretainedValue().reader = nil
            return 0
        }
    }

    private func openReader(
        _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>
    ) -> Int32 {
        do throws(FFmpegError) {
            let source = try FileSource(descriptor: descriptor, name: subject)
            let reader = try SourceReader(source, Cancellation())
            io.pointee = reader.context
            self.reader = reader
            return 0
        } catch {
            return error.status.rawValue
        }
    }

    deinit {
        avformat_free_context(context)
    }

    private var raw: UnsafeMutablePointer<AVFormatContext> {
        guard let context else { preconditionFailure("an open muxer has a context") }
        return context
    }

    /// Adds a stream before the header is written.
    ///
    /// - Returns: The stream's index in the output.
    /// - Throws: `FFmpegError` with `.addStream`.
    public func addStream(
        _ parameters: CodecParameters, _ description: OutputStream
    ) throws(FFmpegError) -> Int {
        let stream = try allocated(avformat_new_stream(raw, nil), "a stream of \(subject)")
        try check(
            avcodec_parameters_copy(stream.pointee.codecpar, parameters.raw), .addStream, subject)
        stream.pointee.codecpar.pointee.codec_tag = Self.tag(description.codecTag)
        stream.pointee.time_base = description.timeBase.rational
        if let rate = description.frameRate {
            stream.pointee.avg_frame_rate = AVRational(
                num: Int32(clamping: rate.numerator), den: Int32(clamping: rate.denominator))
        }
        if let language = description.language {
            av_dict_set(&stream.pointee.metadata, "language", language, 0)
        }
        if let title = description.title {
            av_dict_set(&stream.pointee.metadata, "title", title, 0)
            av_dict_set(&stream.pointee.metadata, "handler_name", title, 0)
        }
        stream.pointee.disposition =
            (description.isDefault ? AV_DISPOSITION_DEFAULT : 0)
            | (description.isForced ? AV_DISPOSITION_FORCED : 0)
            | (description.isAttachedPicture ? AV_DISPOSITION_ATTACHED_PIC : 0)
        try addSideData(description, to: stream)
        return Int(stream.pointee.index)
    }

    public func setMetadata(_ metadata: [String: String]) {
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            av_dict_set(&raw.pointee.metadata, key, value, 0)
        }
    }

    public func addChapter(
        start: MediaTime, end: MediaTime, title: String
    ) throws(FFmpegError) {
        guard let memory = av_mallocz(MemoryLayout<AVChapter>.size) else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "a chapter")
        }
        let chapter = memory.assumingMemoryBound(to: AVChapter.self)
        let base = TimeBase(1, 1000)
        chapter.pointee.id = Int64(raw.pointee.nb_chapters)
        chapter.pointee.time_base = base.rational
        chapter.pointee.start = base.ticks(start)
        chapter.pointee.end = base.ticks(end)
        av_dict_set(&chapter.pointee.metadata, "title", title, 0)
        let count = Int(raw.pointee.nb_chapters) + 1
        let grown = av_realloc_array(
            raw.pointee.chapters, count, MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride)
        guard let grown else {
            av_dict_free(&chapter.pointee.metadata)
            av_free(memory)
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "a chapter")
        }
        let chapters = grown.assumingMemoryBound(to: UnsafeMutablePointer<AVChapter>?.self)
        chapters[count - 1] = chapter
        raw.pointee.chapters = chapters
        raw.pointee.nb_chapters = UInt32(count)
    }

    /// Writes the header; this may change the streams' time bases.
    ///
    /// - Throws: `FFmpegError` with `.writeHeader`, or `.setOption` with an option that the muxer
    ///   does not know.
    public func writeHeader(options: [String: String]) throws(FFmpegError) {
        let options = OptionDictionary(options)
        try checkWrite(avformat_write_header(raw, &options.raw), .writeHeader)
        isHeaderWritten = true
        if let unknown = options.leftOver {
            throw FFmpegError(.setOption, status: .invalidArgument, subject: unknown)
        }
    }

    /// Returns the time base that a stream's packets must use; valid after the header is written.
    public func timeBase(of stream: Int) -> TimeBase {
        guard let stream = raw.pointee.streams[stream] else {
            preconditionFailure("stream \(stream) is not in \(subject)")
        }
        return TimeBase(stream.pointee.time_base)
    }

    /// Writes a packet; the packet is empty afterwards.
    ///
    /// - Throws: `FFmpegError` with `.write`; `.noSpace` if the disk is full.
    public func write(_ packet: borrowing Packet) throws(FFmpegError) {
        let status = av_write_frame(raw, packet.raw)
        packet.clear()
        try checkWrite(status, .write)
    }

    /// Writes the index and the end of the file; if requested, moves the media behind the index.
    ///
    /// - Parameter goesOn: Receives the position in the file, from 0 to 1; `false` stops the
    ///   writing.
    /// - Throws: `FFmpegError` with `.finish`; `.noSpace` if the disk is full; `.interrupted` if
    ///   stopped.
    public func finish(_ goesOn: @escaping (Double) -> Bool = { _ in true }) throws(FFmpegError) {
        precondition(isHeaderWritten, "a file without a header has no end")
        writer.goesOn = goesOn
        defer { writer.goesOn = { _ in true } }
        try checkWrite(av_write_trailer(raw), .finish)
        avio_flush(raw.pointee.pb)
        try checkWrite(raw.pointee.pb.pointee.error, .finish)
    }

    private func checkWrite(_ status: Int32, _ operation: FFmpegError.Operation) throws(FFmpegError)
    {
        if let failure = writer.failure {
            throw FFmpegError(
                operation, status: FFmpegStatus(rawValue: -failure), subject: subject)
        }
        try check(status, operation, subject)
    }

    private static func tag(_ characters: String?) -> UInt32 {
        guard let bytes = characters.map({ Array($0.utf8) }), bytes.count == 4 else { return 0 }
        return bytes.enumerated().reduce(0) { $0 | UInt32($1.element) << (8 * UInt32($1.offset)) }
    }

    private func addSideData(
        _ description: OutputStream, to stream: UnsafeMutablePointer<AVStream>
    ) throws(FFmpegError) {
        if let matrix = description.displayMatrix {
            let bytes = try allocated(
                takeup_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 36), "a matrix")
            matrix.withUnsafeBytes {
                UnsafeMutableRawPointer(bytes).copyMemory(
                    from: $0.baseAddress ?? .init(bytes), byteCount: 36)
            }
        }
        if let display = description.masteringDisplay {
            let bytes = try allocated(
                takeup_stream_new_side_data(
                    stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA,
                    MemoryLayout<AVMasteringDisplayMetadata>.size), "mastering metadata")
            var value = AVMasteringDisplayMetadata()
            display.write(to: &value)
            UnsafeMutableRawPointer(bytes).storeBytes(
                of: value, as: AVMasteringDisplayMetadata.self)
        }
        if let light = description.contentLight {
            let bytes = try allocated(
                takeup_stream_new_side_data(
                    stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
                    MemoryLayout<AVContentLightMetadata>.size), "content light")
            UnsafeMutableRawPointer(bytes).storeBytes(
                of: AVContentLightMetadata(
                    MaxCLL: UInt32(light.maximum), MaxFALL: UInt32(light.frameAverage)),
                as: AVContentLightMetadata.self)
        }
    }
}
