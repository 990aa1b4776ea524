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
}
