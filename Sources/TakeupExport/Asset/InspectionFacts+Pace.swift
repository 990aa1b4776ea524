internal import TakeupFFmpeg
internal import TakeupTimeline

extension InspectionFacts {
    /// Codecs with blocks of different lengths; their number of blocks gives no duration.
    private static let unevenCodecs: Set<String> = ["vorbis", "opus"]

    /// Audio streams with wrong timestamps, each with a description.
    ///
    /// Sound never overlaps itself for long, so timestamps that advance too slowly are wrong in any
    /// container. Timestamps that leave gaps may be intended. AVI is an exception: it counts its
    /// packets and has no timestamps.
    var wrongSoundTimes: [Int: String] {
        guard !lacksTimestamps else { return [:] }
        var wrong: [Int: String] = [:]
        for stream in streams where stream.kind == .audio {
            let isBornOut = isBornOut(stream.index)
            if container == "avi", Self.unevenCodecs.contains(stream.codec) {
                wrong[stream.index] = "AVI counts its blocks, which differ in length"
            } else if let ratio = wrongRatio(stream.index), ratio < 1 || container == "avi",
                !isBornOut
            {
                let seconds = (ratio * 100).rounded() / 100
                wrong[stream.index] = "they give \(seconds) s to each second of sound"
            } else if stream.codec == "flac", isBornOut,
                scan?.streams[stream.index]?.continuity.isKept == false
            {
                wrong[stream.index] = "its blocks have the times of later ones"
            }
        }
        return wrong
    }

    /// Returns the seconds of timestamps per second of sound; nil if the timestamps fit.
    ///
    /// If AVI's timestamps run far too fast, FFmpeg returns the pictures first. Only a scan then
    /// sees enough sound.
    private func wrongRatio(_ index: Int) -> Double? {
        guard let pace = firstFrames[index]?.pace else { return nil }
        guard !pace.canJudge else { return pace.wrongRatio }
        guard container == "avi", let ratio = scannedRatio(index), !fits(ratio) else { return nil }
        return ratio
    }

    /// Computes the seconds of timestamps per second of sound from all packets with known
    /// durations.
    private func scannedRatio(_ index: Int) -> Double? {
        guard let scan = scan?.streams[index], scan.totalLength > .zero, let start = scan.start,
            let end = scan.end
        else { return nil }
        return (end - start).seconds / scan.totalLength.seconds
    }

    /// Returns whether a ratio is plausible; drifting clocks differ by less than 10 %.
    private func fits(_ ratio: Double) -> Bool { abs(ratio - 1) < 0.1 }

    /// Returns whether a stream's packet durations add up to its timestamps.
    private func isBornOut(_ index: Int) -> Bool {
        scannedRatio(index).map(fits) ?? false
    }

    /// Returns how long the last picture lasts, where no packet states a duration, as in FLV.
    func unstatedLength(_ stream: StreamDescription) -> MediaTime {
        guard stream.kind == .video, let scan = scan?.streams[stream.index],
            scan.shortestLength == nil, scan.packets > 1, let start = scan.start, let end = scan.end
        else { return .zero }
        return MediaTime(seconds: (end - start).seconds / Double(scan.packets - 1))
    }

    /// The latest end of all streams.
    var latestEnd: MediaTime? {
        let ends = streams.compactMap { stream in
            scan?.streams[stream.index]?.end.map { $0 + unstatedLength(stream) }
        }
        return ends.max() ?? gaps?.end
    }

    /// How much earlier than the first picture a header's duration begins: FFmpeg's FLV counts it
    /// from the first decoding time.
    var decodingLead: MediaTime {
        guard container == "flv", let start = scan?.streams.values.compactMap(\.start).min(),
            let stream = streams.first(where: { $0.kind == .video && $0.reorderDelay > 0 }),
            let length = scan?.streams[stream.index]?.shortestLength
        else { return .zero }
        let most = MediaTime(
            value: length.value * Int64(stream.reorderDelay), timescale: length.timescale)
        return min(max(.zero, start), most)
    }
}
