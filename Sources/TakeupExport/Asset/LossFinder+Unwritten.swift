internal import TakeupTimeline

extension LossFinder {
    /// Reports the file ranges without media, with an estimate of the lost duration.
    ///
    /// If `atEndOnly` is true, only the range at the end counts, because the other losses are
    /// known.
    func unreadable(atEndOnly: Bool) -> LossReport? {
        guard case .unreadable(let parts, let reason, let read) = facts.fault,
            let size = facts.byteCount
        else {
            return nil
        }
        let lengths = parts.map { $0.upperBound - $0.lowerBound }
        let tail = parts.last?.upperBound == size ? lengths.last ?? 0 : 0
        let bytes = atEndOnly ? tail : lengths.reduce(0, +)
        // Stored timestamps continue after a gap; counted timestamps do not.
        let keepsTimes = facts.isBroadcast || facts.container == "ogg"
        let media = read ?? size - (keepsTimes ? tail : bytes)
        let share = Double(bytes) / Double(max(1, media))
        let named = parts.prefix(3).map {
            "bytes \($0.lowerBound) to \($0.upperBound - 1) \(reason)"
        }
        let rest = parts.count - named.count
        return LossReport(
            lostSeconds: MediaTime(seconds: foundSeconds * share),
            details: named + (rest > 0 ? ["and \(rest) more such parts"] : []),
            isTruncated: tail > 0)
    }

    /// Duration of the existing media: from its timestamps, or from its pictures if there are none.
    private var foundSeconds: Double {
        let streams = facts.scan?.streams ?? [:]
        let starts = streams.values.compactMap(\.start), ends = streams.values.compactMap(\.end)
        if let start = starts.min(), let end = ends.max(), end > start {
            return (end - start).seconds
        }
        return tracks.map { track in
            let rate = track.video?.averageFrameRate ?? track.video?.nominalFrameRate
            guard let rate, rate.numerator > 0 else { return 0 }
            let pictures = Double(streams[track.index]?.packets ?? 0)
            return pictures * Double(rate.denominator) / Double(rate.numerator)
        }.max() ?? 0
    }
}
