internal import TakeupTimeline

/// Tells from what the lanes read and decoded whether a source was whole.
struct LossAssessor {
    /// How far from the end the picture that is decoded last may be shown.
    private static let reorder = 3

    let assets: [InspectedAsset]

    /// - Parameters:
    ///   - segment: What was rendered.
    ///   - kind: For messages.
    ///   - tally: What its lane counted.
    /// - Returns: What is lost; nil when all is there.
    func assess(_ segment: TrackSegment, _ kind: MediaType, _ tally: TrackTally) -> LossReport? {
        guard let track = segment.track else { return nil }
        let asset = assets[segment.source]
        var details: [String] = []
        var lostSeconds = MediaTime.zero
        var isTruncated = false
        let expected = tally.isWhole ? asset.expectedPackets[track] ?? 0 : 0
        if tally.packets < expected {
            let missing = expected - tally.packets
            lostSeconds = time(missing, of: expected, segment)
            details.append(
                "\(kind.rawValue): \(missing) of \(expected) packets are missing (\(lostSeconds))")
            isTruncated = true
        }
        if let failure = tally.readFailure {
            details.append("\(kind.rawValue): reading stopped early: \(failure)")
            isTruncated = true
        }
        let damaged = tally.refusedPackets + tally.damagedFrames
        if damaged > allowance(kind, tally) {
            let total = max(tally.packets, damaged)
            let span = time(damaged, of: total, segment)
            lostSeconds = lostSeconds + span
            details.append(
                "\(kind.rawValue): \(tally.refusedPackets) packets could not be decoded and "
                    + "\(tally.damagedFrames) frames were patched up, of \(tally.packets) (\(span))"
            )
        }
        guard !details.isEmpty else { return nil }
        return LossReport(lostSeconds: lostSeconds, details: details, isTruncated: isTruncated)
    }

    /// Junk behind the last block of an otherwise whole sound track is common and loses nothing, and so is
    /// a last picture that the recording stopped in the middle of, in containers that have no end.
    private func allowance(_ kind: MediaType, _ tally: TrackTally) -> Int {
        guard kind == .video else { return max(1, tally.packets / 200) }
        return tally.lastDamagedFrame >= tally.decodedFrames - Self.reorder ? 1 : 0
    }

    private func time(_ part: Int, of total: Int, _ segment: TrackSegment) -> MediaTime {
        guard total > 0 else { return .zero }
        let ticks = segment.duration.ticks(of: 1, over: 1_000_000)
        return MediaTime(
            value: Int64(Double(ticks) * Double(part) / Double(total)), timescale: 1_000_000)
    }

    /// Adds up what several tracks lost.
    static func combine(_ losses: [LossReport]) -> LossReport? {
        guard let worst = losses.map(\.lostSeconds).max() else { return nil }
        return LossReport(
            lostSeconds: worst, details: losses.flatMap(\.details),
            isTruncated: losses.contains(where: \.isTruncated))
    }
}
