internal import TakeupTimeline

extension LossFinder {
    /// Reports the loss in a truncated or broken AVI: missing declared units, otherwise a share by
    /// bytes.
    func incompleteAVI() -> LossReport? {
        guard let chunks = facts.chunks else { return nil }
        // If the file seems complete, the number of read packets must confirm a loss.
        let lacksParts =
            chunks.hasParts
            && chunks.streams.enumerated().contains { place, stream in
                stream.isVideo && stream.declared > max(stream.found, readUnits(place, stream) ?? 0)
            }
        let isCut = chunks.isCut || isShorterThanDeclared || lacksParts
        guard isCut || chunks.broken != nil else { return nil }
        var (lost, details) = missingUnits(chunks.streams)
        if details.isEmpty {
            // If all declared units exist, the truncated or broken bytes are not media.
            guard chunks.isCut || chunks.brokenBytes > 0,
                chunks.streams.contains(where: { $0.declared == 0 })
            else { return nil }
            lost = share(of: chunks)
        }
        if isShorterThanDeclared { details.append(endDetail) }
        if let broken = chunks.broken { details.append(Self.break(at: broken)) }
        if details.isEmpty { details.append("the file ends within its media") }
        return LossReport(lostSeconds: lost, details: details, isTruncated: isCut)
    }

    private func missingUnits(_ streams: [AVIChunks.Stream]) -> (MediaTime, [String]) {
        var details: [String] = []
        var lost = MediaTime.zero
        for (place, stream) in streams.enumerated() {
            let found = min(stream.found, readUnits(place, stream) ?? .max)
            guard stream.declared > found, let unit = stream.unit else { continue }
            let missing = stream.declared - found
            let absent = MediaTime(seconds: unit.doubleValue * Double(missing))
            // Headers round the length of sound.
            guard stream.isVideo || absent > Self.frame else { continue }
            lost = max(lost, absent)
            details.append(
                stream.isVideo
                    ? "video: \(missing) of \(stream.declared) frames are missing"
                    : "audio: \(absent) are missing")
        }
        return (lost, details)
    }

    /// Number of pictures read from a stream, with repeated ones; nil for sound and if no packet
    /// was read.
    private func readUnits(_ place: Int, _ stream: AVIChunks.Stream) -> Int64? {
        guard stream.isVideo, let packets = facts.scan?.streams[place]?.packets else { return nil }
        return Int64(packets) + stream.repeats
    }

    private func share(of chunks: AVIChunks) -> MediaTime {
        guard chunks.brokenBytes > 0, chunks.mediaBytes > 0,
            let end = facts.scan?.streams.values.compactMap(\.end).max()
        else { return missingShare }
        let share = Double(chunks.brokenBytes) / Double(chunks.mediaBytes)
        return MediaTime(seconds: end.seconds * share)
    }
}
