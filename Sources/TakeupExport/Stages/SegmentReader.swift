internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Reads the packets of one track's segment, on the source's continuous clock.
final class SegmentReader {
    let stream: StreamDescription
    let segment: TrackSegment
    private let demuxer: Demuxer
    private let timeline: SourceTimeline
    private var ordinal = 0
    private(set) var tally = TrackTally()
    /// Whether reading began behind the source's start.
    let hasSought: Bool

    /// Opens the source again and moves to a keyframe at or before the segment's start.
    ///
    /// It begins `lead` before the start; nil begins at the source's start.
    ///
    /// - Throws: `FFmpegError` with `.open`, `.findStreams` or `.seek`.
    init(
        _ source: OpenedSource, _ asset: InspectedAsset, _ segment: TrackSegment, track: Int,
        lead: MediaTime?, cancellation: Cancellation
    ) throws(FFmpegError) {
        demuxer = try source.demuxer(
            forStream: track, keepingOthers: !asset.timeline.isStraight, cancellation)
        guard let stream = demuxer.streams.first(where: { $0.index == track }) else {
            throw FFmpegError(
                .findStreams, status: .invalidData, subject: "stream \(track) of \(source.name)")
        }
        self.stream = stream
        self.segment = segment
        timeline = asset.timeline
        var target: Int64?
        if let lead, asset.isSeekable {
            let start = segment.sourceStart - lead
            if start > asset.description.startTime { target = stream.timeBase.ticks(start) }
        }
        hasSought = target != nil
        if let target { try demuxer.seek(stream: track, toTicks: target) }
    }

    func parameters() throws(FFmpegError) -> CodecParameters {
        try demuxer.parameters(of: stream.index)
    }

    /// Reads the track's next packet, its times moved to the continuous clock.
    ///
    /// A read that fails ends the track and is noted, so that what came before it can be salvaged.
    ///
    /// - Returns: `false` at the end.
    func next(_ packet: borrowing Packet) throws(FFmpegError) -> Bool {
        while true {
            do throws(FFmpegError) {
                guard try demuxer.read(into: packet) else { return false }
            } catch {
                if error.status == .interrupted || error.operation == .allocate { throw error }
                tally.readFailure = "\(error.status)"
                return false
            }
            guard packet.streamIndex == stream.index else { continue }
            if !timeline.isStraight {
                let offset = timeline.offset(stream: stream.index, ordinal: ordinal)
                packet.shift(byTicks: stream.timeBase.ticks(offset))
            }
            ordinal += 1
            tally.packets += 1
            if packet.isDiscarded || packet.byteCount == 0 { tally.hiddenPackets += 1 }
            if packet.isCorrupt { tally.corruptPackets += 1 }
            return true
        }
    }
}
