internal import TakeupFFmpeg
internal import TakeupTimeline

/// Determines from the stages' counts whether a source was complete.
struct LossAssessor {
    /// How many pictures before the last shown one the last decoded picture may be.
    static let reorder = 3
    /// Fraction of sound that may overlap earlier sound; drifting clocks cause less.
    private static let mostOverlap = 0.1
    /// Rounding tolerance between the times of different tracks.
    private static let lateness = MediaTime(value: 1, timescale: 20)

    let assets: [InspectedAsset]

    /// - Parameters:
    ///   - segment: The rendered segment.
    ///   - kind: The kind of media, for messages.
    ///   - tally: The counts of its stage.
    /// - Returns: The loss; nil if nothing is missing.
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
        if tally.beginsLate, beganBefore(segment, asset, track) {
            details.append(
                "\(kind.rawValue): nothing that is shown up to the start of the cut could be decoded"
            )
        }
        let head = headDamage(segment, kind, asset, tally)
        let damaged = max(
            tally.refusedPackets + tally.damagedFrames + head,
            vanished(kind, asset, track, tally))
        let faulty = faultyPictures(asset, tally) - holeAllowance(segment, asset, track)
        if damaged > allowance(segment, kind, asset, tally) + holeAllowance(segment, asset, track) {
            let total = max(tally.packets, damaged)
            let span = time(damaged, of: total, segment)
            lostSeconds = lostSeconds + span
            let refused = max(0, damaged - tally.damagedFrames)
            details.append(
                "\(kind.rawValue): \(refused) packets could not be decoded and "
                    + "\(tally.damagedFrames) frames were patched up, of \(tally.packets) (\(span))"
            )
        } else if faulty > 0 {
            let span = time(faulty, of: tally.packets, segment)
            lostSeconds = lostSeconds + span
            details.append(
                "\(kind.rawValue): the decoder finds fault with \(faulty) of \(tally.packets) "
                    + "pictures (\(span)), and with what builds on them")
        }
        if tally.overlap.seconds > Self.mostOverlap * (tally.lastTime + tally.overlap).seconds {
            lostSeconds = lostSeconds + tally.overlap
            details.append(
                "\(kind.rawValue): \(tally.overlap) of sound lie over other sound by their times")
        }
        guard !details.isEmpty else { return nil }
        return LossReport(lostSeconds: lostSeconds, details: details, isTruncated: isTruncated)
    }

    /// Returns whether a track has started before a cut begins.
    private func beganBefore(
        _ segment: TrackSegment, _ asset: InspectedAsset, _ track: Int
    ) -> Bool {
        let start = asset.description.tracks.first { $0.index == track }?.startTime
        return start.map { $0 + Self.lateness < segment.sourceStart } ?? false
    }

    /// Returns how many packets may be damaged without a loss.
    ///
    /// Junk after the last block of a complete audio track is common. In containers without an end
    /// mark, a recording may stop within its last picture. A short audio block is not missed
    /// either.
    private func allowance(
        _ segment: TrackSegment, _ kind: MediaType, _ asset: InspectedAsset, _ tally: TrackTally
    ) -> Int {
        guard kind == .video else {
            let atEnd = tally.refusedAtEnd <= tally.packets / 200 ? tally.refusedAtEnd : 0
            // The last block of a broadcast may be cut. If every packet gave a block, the bytes
            // after them are none.
            let isNoLoss =
                Broadcast.isOne(asset.description.container) || tally.frames >= tally.packets
            // A few packets behind the last of the stated frames are no sound; many more are another file.
            let isComplete =
                tally.isWhole && tally.refusedAtEnd <= ExportPlanner.mostUnstated
                && asset.statedFrames.map { (0...2).contains(tally.frames - $0) } ?? false
            return max(
                isComplete ? tally.refusedAtEnd : isNoLoss ? min(1, tally.refusedAtEnd) : 0,
                short(1 + atEnd, segment, tally))
        }
        if let pictures = asset.picturesBeforeSpace, tally.decodedFrames >= pictures {
            return tally.refusedPackets
        }
        return hasNoEnd(asset) && tally.lastDamagedFrame >= tally.decodedFrames - Self.reorder
            ? 1 : 0
    }

    /// Returns whether a recording may have stopped in the middle of its last picture.
    private func hasNoEnd(_ asset: InspectedAsset) -> Bool {
        let container = asset.description.container
        return container == "mpegts"
            ? asset.description.warnings.contains { $0.code == "cutPacket" }
            : Broadcast.isOne(container) || asset.lacksTimestamps
    }

    /// Returns the number of pictures with decoder complaints, without an interrupted last picture.
    private func faultyPictures(_ asset: InspectedAsset, _ tally: TrackTally) -> Int {
        tally.faults.count - (hasNoEnd(asset) && tally.faults.isLastFaulty ? 1 : 0)
    }

    /// Returns the number of MP4 pictures that a decoder skipped without an error.
    private func vanished(
        _ kind: MediaType, _ asset: InspectedAsset, _ track: Int, _ tally: TrackTally
    ) -> Int {
        // The check of the output decodes copied tracks later.
        guard kind == .video, tally.isWhole, tally.decodedFrames > 0,
            asset.description.container.contains("mp4"),
            let codec = asset.streams.first(where: { $0.index == track })?.codec,
            FramesPerPacket.isOne(codec)
        else { return 0 }
        let head = asset.undecodableHead[track] ?? 0
        return max(0, tally.packets - tally.hiddenPackets - head - tally.decodedFrames)
    }

    /// Number of partial audio packets at the start of a broadcast that was cut within a packet.
    private static let headPieces = 16

    /// Returns the number of refused packets at the start, without those that no decoder can use.
    ///
    /// No decoder can use pictures before a broadcast's first keyframe or parts of a cut audio
    /// block. Two short blocks may need earlier ones.
    private func headDamage(
        _ segment: TrackSegment, _ kind: MediaType, _ asset: InspectedAsset, _ tally: TrackTally
    ) -> Int {
        guard tally.isWhole else { return 0 }
        let isBroadcast = Broadcast.isOne(asset.description.container)
        let allowance =
            switch kind {
            case .audio: isBroadcast ? Self.headPieces : short(2, segment, tally)
            default: segment.track.flatMap { asset.undecodableHead[$0] } ?? 0
            }
        return max(0, tally.refusedBeforeFirst - allowance)
    }

    /// Limits a number of audio blocks to those that last no longer than a negligible loss.
    ///
    /// Some codecs have blocks of more than a second.
    private func short(_ blocks: Int, _ segment: TrackSegment, _ tally: TrackTally) -> Int {
        let block = segment.ownDuration.seconds / Double(max(1, tally.packets))
        guard block > 0 else { return blocks }
        return min(blocks, Int(LossFinder.frame.seconds / block))
    }

    /// Returns the number of packets that reception gaps in a range make undecodable; warnings
    /// report them.
    private func holeAllowance(
        _ segment: TrackSegment, _ asset: InspectedAsset, _ track: Int
    ) -> Int {
        let end = segment.sourceStart + segment.ownDuration
        return (asset.holes[track] ?? [])
            .filter { $0.start <= end && $0.end >= segment.sourceStart }
            .map(\.packets).reduce(0, +)
    }

    private func time(_ part: Int, of total: Int, _ segment: TrackSegment) -> MediaTime {
        guard total > 0 else { return .zero }
        let ticks = segment.ownDuration.ticks(of: 1, over: 1_000_000)
        let lost = Int128(ticks) * Int128(part) / Int128(total)
        return MediaTime(value: Int64(clamping: lost), timescale: 1_000_000)
    }

    /// Joins the losses of one track's segments.
    func assess(
        _ segments: [TrackSegment], _ kind: MediaType, _ tallies: [TrackTally]
    ) -> LossReport? {
        let losses = zip(segments, tallies).compactMap { segment, tally in
            var loss = assess(segment, kind, tally)
            if segments.count > 1 { loss?.name(part: segment.source, of: assets.count) }
            return loss
        }
        return LossReport.inTurn(losses)
    }
}
