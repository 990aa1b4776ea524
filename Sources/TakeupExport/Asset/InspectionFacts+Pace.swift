internal import TakeupFFmpeg
internal import TakeupTimeline

extension InspectionFacts {
    /// Codecs whose blocks differ in length, so that their count tells no time.
    private static let unevenCodecs: Set<String> = ["vorbis", "opus"]

    /// Sound whose times are wrong, and in what way, by stream.
    ///
    /// Sound never lies over itself for long, so that times which are too slow are wrong in any container. Times
    /// that leave gaps may be meant, except in AVI, which counts its packets and has no times of its own.
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

    /// How many seconds of time pass for each second of sound; nil where the times fit.
    ///
    /// Where AVI's times are far too fast, FFmpeg gives out the pictures first, and only a scan sees enough sound.
    private func wrongRatio(_ index: Int) -> Double? {
        guard let pace = firstFrames[index]?.pace else { return nil }
        guard !pace.canJudge else { return pace.wrongRatio }
        guard container == "avi", let ratio = scannedRatio(index), !fits(ratio) else { return nil }
        return ratio
    }

    /// The same of all packets, as far as they tell how long they last.
    private func scannedRatio(_ index: Int) -> Double? {
        guard let scan = scan?.streams[index], scan.totalLength > .zero, let start = scan.start,
            let end = scan.end
        else { return nil }
        return (end - start).seconds / scan.totalLength.seconds
    }

    /// Clocks that drift differ by less.
    private func fits(_ ratio: Double) -> Bool { abs(ratio - 1) < 0.1 }

    /// Whether the packets of a stream last as long together as its times say.
    private func isBornOut(_ index: Int) -> Bool {
        scannedRatio(index).map(fits) ?? false
    }
}
