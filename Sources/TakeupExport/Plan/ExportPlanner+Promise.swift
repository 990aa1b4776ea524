internal import TakeupTimeline

extension ExportPlanner {
    /// What sound may be off by at least: the lead of a coder at its start, a block at its end.
    private static let soundTolerance = MediaTime(value: 1, timescale: 10)
    /// The same for pictures: half of one at 50 a second, which rounded times come to.
    private static let pictureTolerance = MediaTime(value: 1, timescale: 100)

    /// What the segments of one track come to.
    ///
    /// - Parameters:
    ///   - segments: In the output's order.
    ///   - isVideo: Whether they are pictures, not sound.
    ///   - rate: Pictures a second of an even track; nil for others and for sound.
    /// - Returns: nil where a source does not tell exactly where its track begins and ends.
    func promise(_ segments: [TrackSegment], isVideo: Bool, rate: Ratio?) -> TrackPromise? {
        guard let first = segments.first, let last = segments.last,
            let begin = span(first), let end = span(last),
            begin.start < begin.end || end.end > .zero
        else { return nil }
        guard let tolerance = tolerance(segments, isVideo: isVideo) else { return nil }
        var promise = TrackPromise(
            start: first.targetStart + begin.start, end: last.targetStart + end.end,
            tolerance: tolerance)
        if let rate, segments.count == 1, promise.end > promise.start {
            let length = promise.end - promise.start
            let count = Int(length.ticks(of: rate.denominator, over: rate.numerator))
            promise.pictures = max(0, count - 1)...count + 1
        }
        return promise
    }

    /// Where the track is within a segment, from its start; all of it for silence.
    private func span(_ segment: TrackSegment) -> (start: MediaTime, end: MediaTime)? {
        guard let number = segment.track else { return (.zero, segment.duration) }
        let asset = assets[segment.source]
        guard asset.description.loss == nil, asset.timeline.isStraight,
            !asset.lacksTimestamps, !asset.derivesTimes, !asset.untimedSound.contains(number),
            asset.hasPresentationTimes[number] == true, asset.expectedPackets[number] != nil,
            let track = asset.description.tracks.first(where: { $0.index == number }),
            let duration = track.duration
        else { return nil }
        let start = max(.zero, track.startTime - segment.sourceStart)
        let end = min(segment.duration, track.startTime + duration - segment.sourceStart)
        return start < end ? (start, end) : nil
    }

    /// One packet and what is left of another, by the longest of the sources; nil where that is not known.
    private func tolerance(_ segments: [TrackSegment], isVideo: Bool) -> MediaTime? {
        var longest = MediaTime.zero
        for segment in segments {
            guard let number = segment.track else { continue }
            guard let step = assets[segment.source].longestSteps[number] else { return nil }
            longest = max(longest, step)
        }
        let least = isVideo ? Self.pictureTolerance : Self.soundTolerance
        return longest + longest + least
    }
}
