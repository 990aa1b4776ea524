extension ExportPlanner {
    /// Judges whether a track can be copied; each input supplies one segment.
    ///
    /// - Parameters:
    ///   - segments: The segments, at least one.
    ///   - tracks: The segments' tracks; nil for an input without this track.
    ///   - copies: Whether the preset copies whatever it can; other presets copy only single
    ///     inputs.
    ///   - judge: Returns why one input's track cannot be copied.
    /// - Returns: Why the track must be encoded; nil if it can be copied.
    func obstacle(
        _ segments: [TrackSegment], _ tracks: [AssetTrack?], copies: Bool,
        _ judge: ([TrackSegment], AssetTrack, InspectedAsset) -> PlanReason?
    ) -> PlanReason? {
        if let reason = Self.timelineObstacle(segments) { return reason }
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

    /// Returns what a timeline asks for that no copy can be.
    private static func timelineObstacle(_ segments: [TrackSegment]) -> PlanReason? {
        if segments.contains(where: \.isEmpty) {
            return PlanReason(
                .emptyTime, "the timeline has empty time, which no source holds")
        }
        guard segments.contains(where: { $0.speed != nil }) else { return nil }
        return PlanReason(.speedChanged, "the timeline plays it faster or slower")
    }

    /// Records the origin of the bit rate that is compared with a preset's limit.
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
