internal import TakeupFFmpeg
internal import TakeupLanes
internal import TakeupTimeline

/// Moves the start of a copied cut to the start of a picture.
///
/// Otherwise, the edit list would have to start within a picture, which players interpret
/// differently. The end stays as requested, because edit lists may end within a picture.
struct CutSnapper {
    /// A picture that starts at most this long after the cut counts as the requested one.
    private static let slack = MediaTime(value: 1, timescale: 1000)

    let inputs: RunInputs
    let cancellation: Cancellation

    /// - Parameters:
    ///   - plan: The plan of the requested range.
    ///   - range: The requested range.
    /// - Returns: The range from the picture on screen at the start to the end; nil if nothing is
    ///   cut or no picture is copied.
    /// - Throws: `ExportError` if the source cannot be read.
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

    /// Returns when the picture on screen at a time began.
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
