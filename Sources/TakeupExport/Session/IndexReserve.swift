/// Computes the space to reserve for an MP4's index before the media, so that the media need not be
/// moved.
enum IndexReserve {
    /// File size in bytes below which moving the media costs less than the unused space.
    private static let leastBytes: Int64 = 32_000_000
    /// A generous number of index bytes per packet; 28 minutes of 1080p at 25 Hz with sound took
    /// 11.
    ///
    /// If the space is too small, the muxer reports an error. The copy is then made again, and the
    /// media is moved at the end.
    private static let packetBytes = 20
    private static let headerBytes = 64 * 1024

    /// - Returns: Number of bytes; nil if the number of packets is unknown or the file is small.
    static func bytes(_ plan: ExportPlan, _ assets: [InspectedAsset]) -> Int? {
        guard plan.fastStart, plan.isPlainCopy,
            plan.metadata.values.map(\.utf8.count).reduce(0, +)
                + (MovieKeys(plan.quickTimeKeys)?.box.count ?? 0) < headerBytes / 4,
            plan.chapters.count < 100
        else { return nil }
        let segments = (plan.video?.segments ?? []) + plan.audio.flatMap(\.segments)
        guard let first = segments.first, first.isWhole,
            assets[first.source].description.bytes ?? 0 >= leastBytes
        else { return nil }
        var packets = 0
        for segment in segments {
            guard let track = segment.track,
                let count = assets[segment.source].expectedPackets[track]
            else { return nil }
            packets += count
        }
        return headerBytes + packets * packetBytes
    }
}
