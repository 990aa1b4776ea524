internal import TakeupFFmpeg
internal import TakeupTimeline

/// Decides whether a video track may be copied unchanged.
struct VideoCopyRules {
    let settings: VideoSettings
    let policy: ExportSettings.CopyPolicy
    let salvages: Bool
    /// Size limit of the output, in bytes.
    let limit: Int64?
    /// Why an earlier copy proved wrong; nil if there was none.
    var objection: String?

    /// - Returns: Why the track must be encoded; nil if it can be copied.
    func obstacle(
        _ segments: [TrackSegment], _ track: AssetTrack, _ asset: InspectedAsset
    ) -> PlanReason? {
        if segments.count > 1 { return PlanReason(.joined, "several inputs are joined") }
        if let reason = technical(track, asset) { return reason }
        if settings.codec == .copy { return nil }
        if let reason = damaged(track, asset) { return reason }
        if asset.hiddenPackets[track.index] ?? 0 > 0 {
            return PlanReason(.hiddenPart, "an edit list hides a part of it")
        }
        if limit != nil { return PlanReason(.sizeLimited, "the size is limited") }
        if !segments[0].isWhole {
            return PlanReason(.cut, "it is cut, and cuts are exact to the frame")
        }
        return beyondPreset(track)
    }

    /// Judges a track of which only parts are to be copied: cuts, joins and edit lists are no obstacle.
    ///
    /// - Returns: Why the track must be encoded; nil if parts can be copied.
    func partObstacle(_ track: AssetTrack, _ asset: InspectedAsset) -> PlanReason? {
        if let reason = technical(track, asset) ?? damaged(track, asset) { return reason }
        guard asset.hasPresentationTimes[track.index] == true, !asset.lacksTimestamps else {
            return PlanReason(.noPresentationTimes, "the source has no presentation times")
        }
        return beyondPreset(track)
    }

    /// Returns what is wrong with the source, or what was asked for against copies.
    private func damaged(_ track: AssetTrack, _ asset: InspectedAsset) -> PlanReason? {
        if asset.description.loss != nil {
            return PlanReason(.sourceIncomplete, "the source is incomplete")
        }
        if let reason = policy.obstacle(
            objection: objection, salvages: salvages, hasHoles: asset.holes[track.index] != nil)
        {
            return reason
        }
        guard asset.openings[track.index] != nil else { return nil }
        return PlanReason(.partMissing, "it begins within a group of pictures")
    }

    /// Returns why MP4 or the source makes a copy impossible, whatever the preset says.
    private func technical(_ track: AssetTrack, _ asset: InspectedAsset) -> PlanReason? {
        guard MP4Codecs.video.contains(track.codec) else {
            return PlanReason(.codecNotInMP4, "\(track.codec) video does not go into MP4")
        }
        let isOrdered = asset.keepsOrder.contains(track.index)
        if asset.hasPresentationTimes[track.index] != true, !isOrdered {
            return PlanReason(.noPresentationTimes, "the source has no presentation times")
        }
        if asset.variedEntries.contains(track.index) {
            return PlanReason(.parametersChange, SampleEntries.reason)
        }
        if !asset.timeline.isStraight { return PlanReason(.clockJumps, "the source's clock jumps") }
        return nil
    }

    private func beyondPreset(_ track: AssetTrack) -> PlanReason? {
        guard let traits = track.video else {
            return PlanReason(.formatUnknown, "its format is unknown")
        }
        guard track.codec == settings.codec.rawValue else {
            return PlanReason(
                .otherCodec, "\(track.codec) is not the preset's \(settings.codec.rawValue)")
        }
        if traits.orientation != .upright {
            return PlanReason(.rotated, "its pictures are turned upright")
        }
        if traits.sampleAspect.numerator != traits.sampleAspect.denominator {
            return PlanReason(.pixelsNotSquare, "its pixels are not square")
        }
        let display = FrameSize(width: traits.displaySize.width, height: traits.displaySize.height)
        if display.framed(by: settings, most: settings.codec.sides.upperBound) != display {
            let fault =
                settings.fit == .fit ? "beyond the preset's size or odd" : "not the preset's frame"
            return PlanReason(.size, "\(display) is \(fault)")
        }
        let formats = settings.bitDepth >= 10 ? ["yuv420p", "yuv420p10le"] : ["yuv420p"]
        guard formats.contains(traits.pixelFormat) else {
            return PlanReason(
                .pixelFormat, "its pixel format \(traits.pixelFormat) is not widely played")
        }
        if traits.color.range == "pc" {
            return PlanReason(.fullRange, "its colours are full range")
        }
        if traits.color.isHDR, settings.dynamicRange == .sdr {
            return PlanReason(.highDynamicRange, "it is HDR")
        }
        if traits.dolbyVisionProfile != nil {
            return PlanReason(.dolbyVision, "it carries Dolby Vision")
        }
        if traits.scan == .topFieldFirst || traits.scan == .bottomFieldFirst {
            return PlanReason(.interlaced, "it is interlaced")
        }
        return beyondRates(track, traits)
    }

    private func beyondRates(_ track: AssetTrack, _ traits: VideoTraits) -> PlanReason? {
        if settings.frameRateMode == .constant {
            return PlanReason(.frameRate, "the preset asks for a constant frame rate")
        }
        if let most = settings.maxFrameRate, (traits.plausibleRate?.doubleValue ?? .infinity) > most
        {
            return PlanReason(.frameRate, "it has more frames a second than the preset's \(most)")
        }
        if let most = settings.maxBitRate {
            guard let rate = track.bitRate else {
                return PlanReason(.bitRateUnknown, "its bit rate is unknown")
            }
            if rate > most {
                return PlanReason(
                    .bitRate, "its \(rate / 1000) kb/s exceed the preset's \(most / 1000)")
            }
        }
        return nil
    }
}
