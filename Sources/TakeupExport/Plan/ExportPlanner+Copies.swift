extension ExportPlanner {
    /// Judges whether a track can be copied, of which each input gives a segment.
    ///
    /// - Parameters:
    ///   - segments: At least one.
    ///   - tracks: The segments' tracks; nil where an input has none.
    ///   - copies: Whether the preset copies whatever it can; others judge single inputs alone.
    ///   - judge: Tells why one input's track cannot be copied.
    /// - Returns: Why it must be encoded; nil when it can be copied.
    func obstacle(
        _ segments: [TrackSegment], _ tracks: [AssetTrack?], copies: Bool,
        _ judge: ([TrackSegment], AssetTrack, InspectedAsset) -> PlanReason?
    ) -> PlanReason? {
        if copies, segments.count > 1 {
            if let difference = JoinRules.obstacle(segments, assets) {
                return PlanReason(.tracksDiffer, difference)
            }
            for (segment, track) in zip(segments, tracks) {
                guard let track else { continue }
                if let reason = judge([segment], track, assets[segment.source]) { return reason }
            }
            return nil
        }
        guard let first = tracks.compactMap(\.self).first else { return nil }
        return judge(segments, first, assets[segments[0].source])
    }

    /// Says where the bit rate comes from that a preset's limit is compared with.
    mutating func noteRate(_ track: AssetTrack, _ subject: String, isLimited: Bool) {
        guard isLimited, let rate = track.bitRate, let origin = track.bitRateOrigin else { return }
        let reason: String? =
            switch origin {
            case .container: nil
            case .packets: "the sizes of all its packets, since the container does not say"
            case .sample: "estimated from its first packets and the file's size"
            }
        guard let reason else { return }
        decide("\(subject) bit rate", "\(rate / 1000) kb/s", because: reason)
    }
}
