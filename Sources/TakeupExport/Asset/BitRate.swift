internal import TakeupFFmpeg
internal import TakeupTimeline

/// Bits a second of a track, as its packets tell.
enum BitRate {
    /// - Returns: nil for what is too short to tell.
    static func of(bytes: Int64, from start: MediaTime?, to end: MediaTime?) -> Int? {
        guard let start, let end, end > start, bytes > 0 else { return nil }
        return Int(min(Double(bytes) * 8 / (end - start).seconds, 0x1p52))
    }

    /// The figure for a stream and where it comes from.
    ///
    /// A container's own figure goes before; then a scan of all packets, then a sample of the first.
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

    /// What the file's size leaves for one track of pictures, once the others' rates are taken off.
    ///
    /// Sound keeps its rate, pictures do not: their first minute tells little of the rest.
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
