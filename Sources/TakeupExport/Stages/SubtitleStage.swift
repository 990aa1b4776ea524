internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Converts the cues of one text track to MP4 timed text on one lane, clipped to the range.
final class SubtitleStage {
    /// Time base of the cues: milliseconds.
    static let timeBase = TimeBase(1, 1000)
    /// Duration of a cue without an end, in milliseconds.
    private static let unendingTicks: Int64 = 5_000

    private let reader: SegmentReader
    private let converter: SubtitleConverter
    private let control: RunControl
    private let output: BoundedQueue<Packet>
    private var lastEnd: Int64 = 0

    init(
        _ inputs: RunInputs, segment: TrackSegment, track: Int, control: RunControl,
        output: BoundedQueue<Packet>
    ) throws(FFmpegError) {
        // Cues that began before the cut count too, so reading begins at the source's start.
        reader = try SegmentReader(
            inputs.sources[segment.source], inputs.assets[segment.source], segment, track: track,
            cancellation: control.cancellation)
        converter = try SubtitleConverter(reader.parameters(), timeBase: reader.stream.timeBase)
        self.control = control
        self.output = output
    }

    func parameters() throws(FFmpegError) -> CodecParameters { try converter.parameters() }

    /// Converts everything, then signals the end to the next stage.
    func run() {
        defer { output.finish() }
        do throws(FFmpegError) {
            let packet = try Packet()
            while !control.isStopped, try reader.next(packet) {
                guard let ticks = packet.ptsTicks ?? packet.dtsTicks else { continue }
                try convert(packet, ticks)
            }
        } catch {
            control.fail(error, .mux)
        }
    }

    private func convert(_ packet: borrowing Packet, _ ticks: Int64) throws(FFmpegError) {
        let base = reader.stream.timeBase
        var converted: (bytes: [UInt8], durationTicks: Int64)?
        do throws(FFmpegError) {
            converted = try converter.convert(packet, timeBase: base)
        } catch {
            // Skip a broken cue, to keep the others.
            guard error.operation != .allocate else { throw error }
        }
        guard let converted, !converted.bytes.isEmpty else { return }
        let (zero, speed) = (reader.segment.sourceStart, reader.segment.speed)
        let start = Self.timeBase.ticks((base.time(ticks) - zero).shown(at: speed))
        let length = Self.timeBase.ticks(base.time(converted.durationTicks).shown(at: speed))
        let end = start + (length > 0 ? length : Self.unendingTicks)
        let limit = Self.timeBase.ticks(reader.segment.duration)
        let first = max(start, lastEnd, 0)
        let last = min(end, limit)
        guard first < last else { return }
        let cue = try Packet()
        try cue.setBytes(converted.bytes)
        cue.ptsTicks = first
        cue.dtsTicks = first
        cue.durationTicks = last - first
        lastEnd = last
        _ = output.push(cue)
    }
}
