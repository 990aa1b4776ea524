internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupModel
internal import TakeupTimeline

/// A cue of subtitles by the output's time, in milliseconds.
struct Cue: Sendable, Equatable {
    var start: Int64
    var end: Int64
    /// As MP4 timed text.
    var bytes: [UInt8]
    var text: String
}

/// Reads the cues of one planned track: of parts of sources, one after another, or of a file.
///
/// Confined to one lane.
final class CueReader {
    /// Time base of the cues: milliseconds.
    static let timeBase = TimeBase(1, 1000)
    /// Duration of a cue without an end, in milliseconds.
    private static let unendingTicks: Int64 = 5_000

    private enum Reading {
        case segment(SegmentReader)
        case file(Demuxer, stream: Int)
    }

    /// What is read now: a segment, or the whole file.
    private struct Part {
        let reading: Reading
        let converter: SubtitleConverter
        let timeBase: TimeBase
        /// The source's time at which it begins, its speed, and the output's time.
        let zero: MediaTime
        let speed: Ratio?
        let target: MediaTime
        /// What of the output it may fill, in milliseconds.
        let limits: Range<Int64>
    }

    private let inputs: RunInputs
    private let cancellation: Cancellation
    private var waiting: ArraySlice<TrackSegment>
    private var part: Part
    private let first: SubtitleConverter
    private let packet: Packet
    /// How many cues could not be read, and were left out.
    private(set) var broken = 0

    /// - Throws: `FFmpegError` for a source that cannot be opened.
    init(
        _ plan: SubtitleTrackPlan, _ inputs: RunInputs, cancellation: Cancellation
    ) throws(FFmpegError) {
        (self.inputs, self.cancellation) = (inputs, cancellation)
        packet = try Packet()
        if let file = plan.file {
            let cues = inputs.texts.cues[file.file]
            part = try Self.part(
                of: cues?.bytes ?? [], name: cues?.name ?? "subtitles", at: file, cancellation)
            waiting = []
        } else {
            guard let segment = plan.segments.first else {
                throw FFmpegError(.findStreams, status: .invalidData, subject: "subtitles")
            }
            // Cues that began before the cut count too, so reading begins at the source's start.
            part = try Self.part(of: segment, inputs, after: nil, cancellation)
            waiting = plan.segments.dropFirst()
        }
        first = part.converter
    }

    /// Reads all cues of a file, by its own time.
    init(file bytes: [UInt8], name: String, cancellation: Cancellation) throws(FFmpegError) {
        (inputs, self.cancellation) = (RunInputs(sources: [], assets: []), cancellation)
        packet = try Packet()
        let whole = PlacedSubtitleFile(
            file: 0, start: .zero, end: MediaTime(seconds: Int64(1) << 31))
        part = try Self.part(of: bytes, name: name, at: whole, cancellation)
        first = part.converter
        waiting = []
    }

    func parameters() throws(FFmpegError) -> CodecParameters { try first.parameters() }

    /// Returns the next cue that is seen in the output; nil at the end.
    func next() throws(FFmpegError) -> Cue? {
        while true {
            guard try read() else {
                guard let segment = waiting.popFirst() else { return nil }
                part = try Self.part(of: segment, inputs, after: first, cancellation)
                continue
            }
            guard let ticks = packet.ptsTicks ?? packet.dtsTicks else { continue }
            if let cue = try cue(at: ticks) { return cue }
        }
    }

    private func read() throws(FFmpegError) -> Bool {
        switch part.reading {
        case .segment(let reader): return try reader.next(packet)
        case .file(let demuxer, let stream):
            while try demuxer.read(into: packet) {
                if packet.streamIndex == stream { return true }
            }
            return false
        }
    }

    private func cue(at ticks: Int64) throws(FFmpegError) -> Cue? {
        var converted: (bytes: [UInt8], durationTicks: Int64, text: String)?
        do throws(FFmpegError) {
            converted = try part.converter.convert(packet, timeBase: part.timeBase)
        } catch {
            // Skip a broken cue, to keep the others.
            guard error.operation != .allocate else { throw error }
            broken += 1
        }
        guard let converted, !converted.bytes.isEmpty else { return nil }
        let base = part.timeBase
        let start = Self.timeBase.ticks(
            part.target + (base.time(ticks) - part.zero).shown(at: part.speed))
        let length = Self.timeBase.ticks(
            base.time(converted.durationTicks).shown(at: part.speed))
        let end = start + (length > 0 ? length : Self.unendingTicks)
        let (from, to) = (max(start, part.limits.lowerBound), min(end, part.limits.upperBound))
        guard from < to else { return nil }
        return Cue(start: from, end: to, bytes: converted.bytes, text: converted.text)
    }

    private static func part(
        of segment: TrackSegment, _ inputs: RunInputs, after first: SubtitleConverter?,
        _ cancellation: Cancellation
    ) throws(FFmpegError) -> Part {
        let reader = try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment,
            track: segment.track ?? 0, cancellation: cancellation)
        let begins = timeBase.ticks(segment.targetStart)
        return Part(
            reading: .segment(reader),
            converter: try SubtitleConverter(
                reader.parameters(), timeBase: reader.stream.timeBase, after: first),
            timeBase: reader.stream.timeBase, zero: segment.sourceStart, speed: segment.speed,
            target: segment.targetStart,
            limits: begins..<max(begins, timeBase.ticks(segment.targetStart + segment.duration)))
    }

    private static func part(
        of bytes: [UInt8], name: String, at file: PlacedSubtitleFile, _ cancellation: Cancellation
    ) throws(FFmpegError) -> Part {
        let demuxer = try Demuxer(
            BytesSource(bytes), name: name, formats: ContainerWhitelist.subtitles,
            cancellation: cancellation)
        guard let stream = demuxer.streams.first(where: { $0.kind == .subtitle }) else {
            throw FFmpegError(.findStreams, status: .invalidData, subject: name)
        }
        return Part(
            reading: .file(demuxer, stream: stream.index),
            converter: try SubtitleConverter(
                demuxer.parameters(of: stream.index), timeBase: stream.timeBase),
            timeBase: stream.timeBase, zero: .zero, speed: nil, target: file.start,
            limits: 0..<max(0, timeBase.ticks(file.end)))
    }
}
