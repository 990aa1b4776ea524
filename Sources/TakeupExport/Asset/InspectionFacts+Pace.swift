internal import TakeupTimeline

extension InspectionFacts {
    /// Sound whose times are wrong: seconds of time for each second of sound, by stream.
    ///
    /// Sound never lies over itself for long, so that times which are too slow are wrong in any container. Times
    /// that leave gaps may be meant, except in AVI, which counts its packets and has no times of its own.
    var wrongPaces: [Int: Double] {
        guard !lacksTimestamps else { return [:] }
        return firstFrames.compactMapValues(\.pace.wrongRatio).filter { index, ratio in
            (ratio < 1 || container == "avi") && !isBornOut(index)
        }
    }

    /// Whether the packets of a stream last as long together as its times say.
    private func isBornOut(_ index: Int) -> Bool {
        guard let scan = scan?.streams[index], scan.totalLength > .zero, let start = scan.start,
            let end = scan.end
        else { return false }
        return abs((end - start).seconds / scan.totalLength.seconds - 1) < 0.1
    }
}
