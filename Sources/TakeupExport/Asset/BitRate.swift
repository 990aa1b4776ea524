internal import TakeupFFmpeg
internal import TakeupTimeline

/// Computes a track's bit rate from its packets.
enum BitRate {
    /// - Returns: Bits per second; nil if the track is too short.
    static func of(bytes: Int64, from start: MediaTime?, to end: MediaTime?) -> Int? {
        guard let start, let end, end > start, bytes > 0 else { return nil }
        return Int(min(Double(bytes) * 8 / (end - start).seconds, 0x1p52))
    }

    /// Returns the bit rate of a stream and its origin.
    ///
    /// The container's own value has priority, then a scan of all packets, then a sample of the
    /// first packets.
    static func measured(
        _ stream: StreamDescription, _ facts: InspectionFacts
    ) -> (rate: Int?, origin: BitRateOrigin?) {
        if let rate = stream.bitRate { return (rate, .container) }
        if let scan = facts.scan?.streams[stream.index] {
            let rate = of(bytes: scan.bytes, from: scan.start, to: scan.end)
            return (rate, rate.map { _ in .packets })
        }
        guard let sample = facts.sample, let rate = sample.tracks[stream.index]?.bitRate else {
            return (nil, nil)
        }
        if sample.isWhole { return (rate, .packets) }
        return (stream.kind == .video ? rest(stream, facts, sample) ?? rate : rate, .sample)
    }

    /// Estimates the bit rate of a video track from the file size minus the other tracks' rates.
    ///
    /// The rate of sound is constant, that of video is not: its first minute says little about the
    /// rest.
    private static func rest(
        _ stream: StreamDescription, _ facts: InspectionFacts, _ sample: PacketSample
    ) -> Int? {
        guard let bytes = facts.byteCount, let duration = facts.declaredDuration,
            duration > .zero
        else { return nil }
        let all = Double(bytes) * 8 / duration.seconds
        let others = sample.tracks.filter { $0.key != stream.index }.values
            .compactMap(\.bitRate).reduce(0, +)
        return max(0, Int(min(all, 0x1p52)) - others)
    }
}
