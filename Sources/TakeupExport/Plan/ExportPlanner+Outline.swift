internal import TakeupTimeline

extension ExportPlanner {
    /// Returns the output's tracks in the order in which they are written.
    func outline(
        _ video: VideoTrackPlan?, _ audio: [AudioTrackPlan], _ subtitles: [SubtitleTrackPlan]
    ) -> [PlannedTrack] {
        let pictures = video.flatMap { outline($0) }.map { [$0] } ?? []
        return pictures + audio.compactMap { outline($0) } + subtitles.map { outline($0) }
    }

    private func outline(_ plan: VideoTrackPlan) -> PlannedTrack? {
        guard let source = source(plan.segments), let traits = source.video else { return nil }
        var track = draft(.video, plan, source)
        guard case .encode(let encoding) = plan.mode else {
            (track.width, track.height) = (traits.width, traits.height)
            track.frameRate = traits.frameRateMode == .constant ? traits.plausibleRate : nil
            track.dynamicRange = Self.range(traits.color)
            return track
        }
        track.codec = preset.video?.codec.rawValue ?? source.codec
        (track.width, track.height) = (encoding.width, encoding.height)
        track.frameRate = encoding.timing.constantRate ?? encoding.timing.grid
        (track.layers, track.titles) = (plan.composition?.layers, plan.composition?.titles)
        let length =
            plan.composition.map { $0.time(of: $0.count).seconds } ?? seconds(plan.segments)
        track.dynamicRange = Self.range(encoding.color)
        let estimate = PictureEstimate(preset.video ?? VideoSettings(codec: .h264))
        let rate = estimate.bitRate(source, encoding)
        track.bitRate = Int(rate)
        track.bytes = rate / 8 * length
        track.mostBytes = estimate.mostBitRate(encoding) / 8 * length
        if !plan.parts.isEmpty { outline(plan.parts, source, &track) }
        return track
    }

    /// Adds the parts: what is copied of the source has the source's size.
    private func outline(_ parts: [VideoPart], _ source: AssetTrack, _ track: inout PlannedTrack) {
        track.parts = parts
        track.frameRate = source.video.flatMap {
            $0.frameRateMode == .constant ? $0.plausibleRate : nil
        }
        let copied = parts.filter(\.isCopied).map(\.segment)
        let sizes = copied.compactMap { size($0)?.bytes }.reduce(0, +)
        let share = seconds(copied) / max(0.001, seconds(parts.map(\.segment)))
        track.bytes = track.bytes.map { $0 * (1 - share) + sizes }
        track.mostBytes = track.mostBytes.map { $0 * (1 - share) + sizes }
    }

    private func outline(_ plan: AudioTrackPlan) -> PlannedTrack? {
        guard let source = source(plan.segments), let traits = source.audio else { return nil }
        var track = draft(.audio, plan, source)
        track.mix = plan.mix
        guard case .encode(let encoding) = plan.mode else {
            (track.channels, track.channelLayout) = (traits.channels, traits.channelLayout)
            track.sampleRate = traits.sampleRate
            return track
        }
        (track.codec, track.loudness) = (encoding.encoder, plan.loudness)
        (track.channels, track.channelLayout) = (encoding.channels, encoding.channelLayout)
        (track.sampleRate, track.bitRate) = (encoding.sampleRate, encoding.bitRate)
        track.bytes =
            Double(encoding.bitRate) / 8 * seconds(plan.mix?.first?.segments ?? plan.segments)
        track.mostBytes = track.bytes
        return track
    }

    /// Returns the facts that every kind of track shares; for a copy also the size.
    private func draft(
        _ type: MediaType, _ plan: some MediaTrackPlan, _ source: AssetTrack
    ) -> PlannedTrack {
        var track = PlannedTrack(
            type: type, isCopied: plan.mode == .copy, codec: source.codec,
            language: plan.language, title: plan.title, reason: plan.reason,
            origins: origins(plan.segments))
        guard track.isCopied else { return track }
        track.bitRate = plan.segments.count == 1 ? source.bitRate : nil
        let sizes = plan.segments.map(size)
        guard sizes.allSatisfy({ $0 != nil }) else { return track }
        track.bytes = sizes.compactMap { $0?.bytes }.reduce(0, +)
        track.mostBytes = track.bytes
        track.isMeasured = sizes.allSatisfy { $0?.isMeasured == true }
        return track
    }

    private func outline(_ plan: SubtitleTrackPlan) -> PlannedTrack {
        PlannedTrack(
            type: .subtitle, isCopied: false, codec: "mov_text", language: plan.language,
            title: plan.title, reason: PlanReason(.otherCodec, "mov_text is MP4's own text format"),
            origins: origins(plan.segments), bytes: 0, mostBytes: 0)
    }

    /// Returns a copy's size: from its track's packets if they were added up, otherwise from the
    /// source's stated bit rate.
    ///
    /// A stated bit rate never leads to more bytes than the whole source has.
    private func size(_ segment: TrackSegment) -> (bytes: Double, isMeasured: Bool)? {
        guard let track = source([segment]) else { return nil }
        let asset = assets[segment.source]
        let (length, part) = (track.duration ?? segment.duration, segment.duration)
        let share = segment.isWhole || part >= length ? 1 : part.seconds / length.seconds
        if let bytes = asset.trackBytes[track.index] {
            return (Double(bytes) * share, segment.isWhole)
        }
        let claimed = track.bitRate.map { Double($0) / 8 * length.seconds }
        let all = asset.description.bytes.map { Double($0) }
        return [claimed, all].compactMap(\.self).min().map { ($0 * share, false) }
    }

    private func source(_ segments: [TrackSegment]) -> AssetTrack? {
        guard let segment = segments.first(where: { $0.track != nil }) else { return nil }
        return assets[segment.source].description.tracks.first { $0.index == segment.track }
    }

    private func origins(_ segments: [TrackSegment]) -> [TrackOrigin] {
        segments.compactMap { segment in
            segment.track.map { TrackOrigin(source: segment.source, track: $0) }
        }
    }

    private func seconds(_ segments: [TrackSegment]) -> Double {
        segments.map(\.duration.seconds).reduce(0, +)
    }

    private static func range(_ color: ColorTags) -> PlannedTrack.Range {
        switch color.transfer {
        case "smpte2084": .pq
        case "arib-std-b67": .hlg
        default: .sdr
        }
    }
}
