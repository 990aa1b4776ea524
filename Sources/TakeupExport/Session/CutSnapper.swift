internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Moves the start of a cut that copies pictures to where a picture begins.
///
/// A picture that is shown already when a cut begins would need an edit list that starts within it, which
/// players read in different ways. The end stays where it was asked for: edit lists may end within a picture.
struct CutSnapper {
    /// A picture that begins so little later than the cut counts as the one that was meant.
    private static let slack = MediaTime(value: 1, timescale: 1000)

    let inputs: RunInputs
    let cancellation: Cancellation

    /// - Parameters:
    ///   - plan: Of the range as it was asked for.
    ///   - range: What was asked for.
    /// - Returns: From the picture that is shown at the start up to the end; nil where nothing is cut or no
    ///   picture is copied.
    /// - Throws: `ExportError` when the source cannot be read.
    func snapped(_ plan: ExportPlan, _ range: TimeRange) throws(ExportError) -> TimeRange? {
        guard let video = plan.video, video.mode == .copy, let segment = video.segments.first,
            !segment.isWhole, let track = segment.track,
            !inputs.assets[segment.source].lacksTimestamps
        else { return nil }
        do throws(FFmpegError) {
            let asset = inputs.assets[segment.source]
            let reader = try SegmentReader(
                inputs.sources[segment.source], asset, segment, track: track,
                cancellation: cancellation)
            let start =
                try shown(at: segment.sourceStart, reader, asset.decodeQueue(of: track))
                ?? segment.sourceStart
            let first = range.start + (start - segment.sourceStart)
            return range.end.map { TimeRange(start: first, end: $0) } ?? TimeRange(start: first)
        } catch {
            throw ExportError(error, .open)
        }
    }

    /// When the picture began that is shown at a time.
    private func shown(
        at time: MediaTime, _ reader: SegmentReader, _ queue: consuming DecodeQueue
    ) throws(FFmpegError) -> MediaTime? {
        _ = try reader.enter(noLaterThan: time)
        let base = reader.stream.timeBase
        let latest = base.lastTick(noLaterThan: time + Self.slack)
        var found: Int64?
        var hasKey = false
        while let packet = try queue.next(from: reader), (packet.dtsTicks ?? .min) <= latest {
            hasKey = hasKey || packet.isKey
            guard hasKey, let pts = packet.ptsTicks, pts <= latest else { continue }
            found = max(found ?? pts, pts)
        }
        return found.map { base.time($0) }
    }
}
