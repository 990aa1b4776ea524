internal import CTakeupFFmpeg
public import TakeupLanes
public import TakeupTimeline

/// Demuxes one container into packets.
///
/// The demuxer reads only its byte source, whatever other files the input names. Confined to one
/// lane.
public final class Demuxer {
    /// A chapter of the container.
    public struct Chapter: Sendable, Equatable {
        public var start: MediaTime
        public var end: MediaTime
        public var title: String?
    }

    /// One entry of a container's index.
    public struct IndexEntry: Sendable, Equatable {
        public var position: Int64
        public var byteCount: Int
        /// Decoding time, in ticks of the stream.
        public var dtsTicks: Int64
        public var isKey: Bool
        public var isHidden: Bool
    }

    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let reader: SourceReader
    private let subject: String
    /// Streams that await their first packet after a seek; this packet tells the error of their
    /// timestamps.
    private var unsettled: Set<Int> = []
    /// The correction added to each stream's timestamps, in ticks.
    private var corrections: [Int: Int64] = [:]
    /// Size of an AVI chunk header, in bytes: the index points to the header, and the packet
    /// follows it.
    private static let chunkHeader: Int64 = 8

    /// Opens a container and reads its header.
    ///
    /// - Parameters:
    ///   - source: The bytes of the container.
    ///   - name: A name for messages only; it is never opened.
    ///   - limits: Limits of the input and of the search for streams.
    ///   - formats: FFmpeg's names of the containers that it may be.
    ///   - cancellation: Stops every read.
    /// - Throws: `FFmpegError` with `.open`: `.invalidData` for an unknown container; an error of
    ///   the source itself.
    public init(
        _ source: any ByteSource, name: String, limits: InputLimits = .standard,
        formats: [String] = ContainerWhitelist.names, cancellation: Cancellation = Cancellation()
    ) throws(FFmpegError) {
        reader = try SourceReader(source, cancellation)
        subject = name
        context = avformat_alloc_context()
        guard let raw = context else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: name)
        }
        raw.pointee.pb = reader.context
        raw.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        raw.pointee.interrupt_callback.opaque = Unmanaged.passUnretained(cancellation).toOpaque()
        raw.pointee.interrupt_callback.callback = { opaque in
            guard let opaque else { return 0 }
            let flag = Unmanaged<Cancellation>.fromOpaque(opaque).takeUnretainedValue()
            return flag.isCancelled ? 1 : 0
        }
        takeup_seal(raw)
        let options = OptionDictionary([
            "format_whitelist": formats.joined(separator: ","),
            "protocol_whitelist": "",
            "max_streams": String(limits.streams),
            "probesize": String(limits.probeBytes),
            "formatprobesize": String(min(limits.probeBytes, 1 << 20)),
            "analyzeduration": String(limits.analyzeSeconds * 1_000_000),
            "indexmem": String(limits.indexBytes),
            "enable_drefs": "0",
        ])
        let status = avformat_open_input(&context, nil, nil, &options.raw)
        // Prefer the source's error: a demuxer may report unreadable data as invalid data.
        if status < 0, let failure = reader.failure { throw failure }
        try check(status, .open, name)
    }

    deinit {
        avformat_close_input(&context)
    }

    private var raw: UnsafeMutablePointer<AVFormatContext> {
        guard let context else { preconditionFailure("an open demuxer has a context") }
        return context
    }

    /// Reads packets until the streams are known.
    ///
    /// - Throws: `FFmpegError` with `.findStreams`.
    public func findStreams(limits: InputLimits = .standard) throws(FFmpegError) {
        let count = Int(raw.pointee.nb_streams)
        let options = (0..<count).map { _ in
            OptionDictionary(["max_pixels": String(limits.pixels), "threads": "1"])
        }
        var pointers = options.map(\.raw)
        let status = pointers.withUnsafeMutableBufferPointer {
            avformat_find_stream_info(raw, count == 0 ? nil : $0.baseAddress)
        }
        for (option, pointer) in zip(options, pointers) { option.raw = pointer }
        if status < 0, let failure = reader.failure { throw failure }
        try check(status, .findStreams, subject)
    }

    /// FFmpeg's names of the container format.
    public var container: String { text(raw.pointee.iformat.pointee.name) ?? "unknown" }

    /// Whether the container has no useful timestamps.
    public var lacksTimestamps: Bool { raw.pointee.iformat.pointee.flags & AVFMT_NOTIMESTAMPS != 0 }

    /// Whether timestamps may jump, as in broadcast streams.
    public var mayJump: Bool { raw.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 }

    /// Whether new streams can still appear during reading.
    public var lacksHeader: Bool { raw.pointee.ctx_flags & AVFMTCTX_NOHEADER != 0 }

    /// The header's duration; nil if missing or guessed from the bit rate.
    public var duration: MediaTime? {
        guard let ticks = timestamp(raw.pointee.duration), ticks > 0,
            raw.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE
        else { return nil }
        return MediaTime(value: ticks, timescale: Int64(AV_TIME_BASE))
    }

    public var streamCount: Int { Int(raw.pointee.nb_streams) }

    public var streams: [StreamDescription] {
        (0..<streamCount).compactMap { raw.pointee.streams[$0].map { StreamDescription($0) } }
    }

    public var metadata: [String: String] { OptionDictionary.pairs(raw.pointee.metadata) }

    public var chapters: [Chapter] {
        (0..<Int(raw.pointee.nb_chapters)).compactMap { place in
            guard let chapter = raw.pointee.chapters[place]?.pointee else { return nil }
            let base = TimeBase(chapter.time_base)
            let tags = OptionDictionary.pairs(chapter.metadata)
            return Chapter(
                start: base.time(timestamp(chapter.start) ?? 0),
                end: base.time(timestamp(chapter.end) ?? 0), title: tags["title"])
        }
    }

    /// Copies the parameters of a stream, for a decoder or muxer.
    public func parameters(of stream: Int) throws(FFmpegError) -> CodecParameters {
        let found = self.stream(stream)
        let parameters = try CodecParameters(copying: found.pointee.codecpar)
        let alpha = av_dict_get(found.pointee.metadata, "alpha_mode", nil, 0)
        parameters.hasAlphaLayer = alpha.map { $0.pointee.value.pointee == 0x31 } ?? false
        return parameters
    }

    /// Selects the streams to read from now on.
    public func select(_ streams: Set<Int>) {
        for index in 0..<streamCount {
            stream(index).pointee.discard =
                streams.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Reads the next packet of the selected streams.
    ///
    /// - Returns: `false` at the end; `packet` is then empty.
    /// - Throws: `FFmpegError` with `.read`.
    public func read(into packet: borrowing Packet) throws(FFmpegError) -> Bool {
        packet.clear()
        while true {
            let status = av_read_frame(raw, packet.raw)
            if status == takeup_error_again { continue }
            if let failure = reader.failure { throw failure }
            if status == takeup_error_eof || isOldEnd(status) { return false }
            try check(status, .read, subject)
            // Packets that were read to find the streams are returned even if their stream is now
            // discarded.
            guard stream(packet.streamIndex).pointee.discard != AVDISCARD_ALL else {
                packet.clear()
                continue
            }
            packet.dropAbsurdTimes()
            correct(packet)
            return true
        }
    }

    /// Corrects timestamps after a seek in AVI, from the index.
    ///
    /// FFmpeg's AVI demuxer (seen in 5.1) counts empty chunks between the seek target and the
    /// keyframe twice.
    private func correct(_ packet: borrowing Packet) {
        let index = packet.streamIndex
        if unsettled.remove(index) != nil, let dts = packet.dtsTicks,
            let position = packet.position,
            let entry = indexEntry(at: position - Self.chunkHeader, of: index)
        {
            corrections[index] = entry.dtsTicks - dts
        }
        if let correction = corrections[index] { packet.shift(byTicks: correction) }
    }

    /// Returns whether a status of -1 means the end of the source, as in old demuxers like GXF's.
    private func isOldEnd(_ status: Int32) -> Bool {
        status == -1 && raw.pointee.pb.pointee.eof_reached != 0
    }

    /// Seeks to the last keyframe of a stream at or before a time.
    ///
    /// - Throws: `FFmpegError` with `.seek` if the container cannot seek there.
    public func seek(stream index: Int, toTicks ticks: Int64) throws(FFmpegError) {
        let status = av_seek_frame(raw, Int32(index), ticks, AVSEEK_FLAG_BACKWARD)
        try check(status, .seek, "\(subject) at \(ticks) ticks of stream \(index)")
        guard container == "avi" else { return }
        corrections = [:]
        // Chunks of other audio codecs hold several blocks, or parts of them, so only these streams
        // can be corrected.
        unsettled = Set(streams.filter { $0.kind == .video || $0.codec == "flac" }.map(\.index))
    }

    /// Returns the number of index entries that the container keeps for a stream; 0 if none.
    public func indexCount(of stream: Int) -> Int {
        Int(avformat_index_get_entries_count(self.stream(stream)))
    }

    public func indexEntry(_ place: Int, of stream: Int) -> IndexEntry? {
        guard let entry = avformat_index_get_entry(self.stream(stream), Int32(place)) else {
            return nil
        }
        return IndexEntry(
            position: entry.pointee.pos, byteCount: Int(entry.pointee.size),
            dtsTicks: entry.pointee.timestamp,
            isKey: entry.pointee.flags & AVINDEX_KEYFRAME != 0,
            isHidden: entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0)
    }

    /// Returns the index entry at a byte position in the source; positions rise in an index.
    private func indexEntry(at position: Int64, of stream: Int) -> IndexEntry? {
        var places = 0..<indexCount(of: stream)
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            guard let entry = indexEntry(middle, of: stream) else { return nil }
            if entry.position == position { return entry }
            places =
                entry.position < position
                ? middle + 1..<places.upperBound : places.lowerBound..<middle
        }
        return nil
    }

    private func stream(_ index: Int) -> UnsafeMutablePointer<AVStream> {
        guard index >= 0, index < streamCount, let stream = raw.pointee.streams[index] else {
            preconditionFailure("stream \(index) is not in \(subject)")
        }
        return stream
    }
}
