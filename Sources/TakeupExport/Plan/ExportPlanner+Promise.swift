internal import TakeupFFmpeg
internal import TakeupTimeline

extension ExportPlanner {
    /// Rounding tolerance for the times of source and output together.
    private static let rounding = MediaTime(value: 5, timescale: 1000)

    /// Codecs that pad the last packets with sound to be cut off again.
    ///
    /// Their packets do not tell how much, so two packets count as one.
    private static let paddedCodecs: Set = [
        "mp3", "mp2", "opus", "vorbis", "wmav1", "wmav2", "wmapro",
    ]

    /// Highest number of packets behind the stated frames that count as junk.
    static let mostUnstated = 16

    /// Predicts the start and end of an output track from its segments.
    ///
    /// - Parameters:
    ///   - segments: The segments in the output's order.
    ///   - isVideo: Whether they are pictures, not sound.
    ///   - rate: Pictures per second of a constant rate; nil for a variable rate and for sound.
    ///   - packet: Duration of an encoder's packet; zero for copies and for pictures at the
    ///     source's rate.
    /// - Returns: nil if a source does not state exactly where its track begins and ends.
    func promise(
        _ segments: [TrackSegment], isVideo: Bool, rate: Ratio?, packet: MediaTime
    ) -> TrackPromise? {
        guard let first = segments.first, let last = segments.last,
            let begin = span(first), let end = span(last),
            begin.start < begin.end || end.end > .zero,
            let startStep = step(first, isVideo: isVideo, isEnd: false),
            let endStep = step(last, isVideo: isVideo, isEnd: true)
        else { return nil }
        var promise = TrackPromise(
            start: first.targetStart + begin.start, end: last.targetStart + end.end,
            startTolerance: max(startStep, packet) + Self.rounding,
            endTolerance: max(endStep, packet) + Self.rounding)
        promise.mayBeginSooner = !isVideo
        promise.latestEnd = last.isOpenEnded ? nil : last.targetStart + last.duration
        let isKnown = segments.contains(where: \.isMade) && segments.allSatisfy { span($0) != nil }
        if let rate, segments.count == 1 || isKnown, promise.end > promise.start {
            let length = promise.end - promise.start
            let count = Int(length.ticks(of: rate.denominator, over: rate.numerator))
            promise.pictures = max(0, count - 1)...count + 1
        }
        return promise
    }

    /// Predicts pictures that are composed: each of them is made, whatever the sources hold.
    func promise(composed pictures: ComposedPictures) -> TrackPromise {
        let packet = pictures.time(of: 1)
        var promise = TrackPromise(
            start: .zero, end: pictures.time(of: pictures.count),
            latestEnd: pictures.time(of: pictures.count), startTolerance: Self.rounding,
            endTolerance: packet + Self.rounding)
        promise.pictures = pictures.count...pictures.count
        return promise
    }

    /// Predicts a mix: silence fills it from its start to its end.
    func promise(mix duration: MediaTime, packet: MediaTime) -> TrackPromise {
        var promise = TrackPromise(
            start: .zero, end: duration, latestEnd: duration,
            startTolerance: packet + Self.rounding, endTolerance: packet + Self.rounding)
        promise.mayBeginSooner = true
        return promise
    }

    /// Returns the track's span within a segment, relative to its start; the whole segment for
    /// silence.
    private func span(_ segment: TrackSegment) -> (start: MediaTime, end: MediaTime)? {
        guard let number = segment.track else { return (.zero, segment.duration) }
        let asset = assets[segment.source]
        guard asset.description.loss == nil, asset.timeline.isStraight,
            !asset.lacksTimestamps, !asset.derivesTimes, !asset.untimedSound.contains(number),
            asset.hasPresentationTimes[number] == true, asset.expectedPackets[number] != nil,
            let track = asset.description.tracks.first(where: { $0.index == number }),
            let last = end(of: track, asset)
        else { return nil }
        let start = max(.zero, track.startTime - segment.sourceStart)
        let end = min(segment.ownDuration, last - segment.sourceStart)
        guard start < end else { return nil }
        return (start.shown(at: segment.speed), end.shown(at: segment.speed))
    }

    /// Returns the earliest possible end of a track.
    ///
    /// An index of reordered pictures gives decoding times, and a movie's duration may be that of
    /// its sound.
    private func end(of track: AssetTrack, _ asset: InspectedAsset) -> MediaTime? {
        guard let duration = track.duration else { return nil }
        let end = track.startTime + duration
        guard asset.description.container.contains("mp4"), track.type == .video,
            let stream = asset.streams.first(where: { $0.index == track.index }),
            stream.reorderDelay > 0, let ticks = stream.durationTicks, ticks > 0
        else { return end }
        let begin = stream.startTicks.map { stream.timeBase.time($0) } ?? track.startTime
        return min(end, begin + stream.timeBase.time(ticks))
    }

    /// Returns the duration of one source picture or packet; nil if unknown.
    ///
    /// For a variable rate, this is the longest duration, because any picture may be the last.
    private func step(_ segment: TrackSegment, isVideo: Bool, isEnd: Bool) -> MediaTime? {
        guard let number = segment.track else { return .zero }
        let asset = assets[segment.source]
        guard let longest = asset.longestSteps[number]?.shown(at: segment.speed),
            let track = asset.description.tracks.first(where: { $0.index == number })
        else { return nil }
        guard isVideo else {
            let packets = Self.paddedCodecs.contains(track.codec) ? 2 : 1
            let all = packets + (isEnd ? unstated(asset, number) : 0)
            return (0..<all).reduce(.zero) { sum, _ in sum + longest }
        }
        guard !isEnd, let rate = track.video?.plausibleRate else { return longest }
        let even = MediaTime(value: rate.denominator, timescale: rate.numerator)
        return min(longest, even.shown(at: segment.speed))
    }

    /// Returns how many packets follow the last frame that an MP3 states, and may hold no sound;
    /// 0 for so many that another file follows.
    private func unstated(_ asset: InspectedAsset, _ track: Int) -> Int {
        guard let stated = asset.statedFrames, let packets = asset.expectedPackets[track] else {
            return 0
        }
        let more = packets - stated
        return (1...Self.mostUnstated).contains(more) ? more : 0
    }
}
