internal import TakeupTimeline

extension ExportPlan {
    /// Compares the written tracks with the plan's promises.
    ///
    /// - Parameters:
    ///   - written: The written tracks by output stream, pictures first.
    ///   - frames: Number of shown pictures.
    /// - Returns: The first track that differs, and how; nil if all match.
    func brokenPromise(_ written: [WrittenTrack], frames: Int) -> String? {
        var promised: [(promise: TrackPromise?, isVideo: Bool)] = []
        if let video { promised.append((video.promise, true)) }
        promised += audio.map { ($0.promise, false) }
        guard promised.count <= written.count else {
            return "\(promised.count) tracks were planned, \(written.count) are there"
        }
        for ((promise, isVideo), track) in zip(promised, written) {
            // A promise does not cover what an edit list hides.
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
