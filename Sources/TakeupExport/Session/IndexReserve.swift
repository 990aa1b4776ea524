/// How much room to keep for an MP4's index in front of its media, so that the media need not be moved.
enum IndexReserve {
    /// Below this, moving the media costs less than the room that is left over.
    private static let leastBytes: Int64 = 32_000_000
    /// The index's share of one packet, generously: 28 minutes of 1080p at 25 Hz with sound took 11.
    ///
    /// Where it is not enough, the muxer says so and the copy is made again, moved at the end.
    private static let packetBytes = 20
    private static let headerBytes = 64 * 1024

    /// - Returns: Bytes; nil where the number of packets is not known, or the file is small.
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
