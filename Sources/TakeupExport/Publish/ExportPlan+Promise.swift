internal import TakeupTimeline

extension ExportPlan {
    /// Compares what was written with what the plan promised.
    ///
    /// - Parameters:
    ///   - written: By stream of the output, pictures first.
    ///   - frames: Pictures that are shown.
    /// - Returns: Which track is not as promised, and how; nil when all are.
    func brokenPromise(_ written: [WrittenTrack], frames: Int) -> String? {
        var promised: [(promise: TrackPromise?, isVideo: Bool)] = []
        if let video { promised.append((video.promise, true)) }
        promised += audio.map { ($0.promise, false) }
        guard promised.count <= written.count else {
            return "\(promised.count) tracks were planned, \(written.count) are there"
        }
        for ((promise, isVideo), track) in zip(promised, written) {
            // What an edit list hides is not promised to anybody.
            let start = isVideo ? track.firstShown : track.start.map { max(.zero, $0) }
            var found: (start: MediaTime, end: MediaTime)?
            if let start, let end = track.end { found = (start, end) }
            if let fault = promise?.fault(found, count: isVideo ? frames : nil) {
                return "its \(isVideo ? "video" : "audio") track: \(fault)"
            }
        }
        return nil
    }
}
