internal import TakeupFFmpeg
internal import TakeupTimeline

/// Decides whether an audio track may be copied unchanged.
struct AudioCopyRules {
    /// How far a track's bit rate may exceed the preset's, as a factor; rate-controlled encoders
    /// deviate by this much.
    private static let slack = 1.15

    let settings: AudioSettings
    let container: ContainerFormat
    let policy: ExportSettings.CopyPolicy
    let salvages: Bool
    /// Whether the pictures are copied too, so that retrying after a wrong copy of sound costs
    /// little.
    let mayTry: Bool
    /// Why an earlier copy proved wrong; nil if there was none.
    var objection: String?

    /// - Returns: Why the track must be encoded; nil if it can be copied.
    func obstacle(
        _ segments: [TrackSegment], _ track: AssetTrack, _ asset: InspectedAsset
    ) -> PlanReason? {
        if segments.count > 1 { return PlanReason(.joined, "several inputs are joined") }
        if let reason = container.obstacle(copyingAudio: track.codec) { return reason }
        if let reason = missingHeader(track, asset) { return reason }
        if asset.untimedSound.contains(track.index) {
            let text = "the times of the sound are wrong, and a copy would keep them"
            return PlanReason(.timesWrong, text)
        }
        if let reason = asset.firstFrames[track.index]?.objection {
            return PlanReason(.firstFrameWrong, reason)
        }
        if !asset.timeline.isStraight { return PlanReason(.clockJumps, "the source's clock jumps") }
        if asset.variedEntries.contains(track.index) {
            return PlanReason(.parametersChange, SampleEntries.reason)
        }
        if settings.codec == .copy { return nil }
        if asset.description.loss != nil {
            return PlanReason(.sourceIncomplete, "the source is incomplete")
        }
        if let reason = policy.obstacle(
            objection: objection, salvages: salvages, hasHoles: asset.holes[track.index] != nil)
        {
            return reason
        }
        if !segments[0].isWhole {
            return PlanReason(.cut, "it is cut, and cuts are exact to the sample")
        }
        return beyondPreset(track, asset, segments[0])
    }

    /// Lengths of the codec headers that an MP4 must contain, in bytes; a CAF by FFmpeg has none.
    ///
    /// - Note: Source: RFC 7845 §5.1; RFC 9639 §8.2.
    private static let headers = ["opus": 19, "flac": 34]

    private func missingHeader(_ track: AssetTrack, _ asset: InspectedAsset) -> PlanReason? {
        guard let least = Self.headers[track.codec],
            let stream = asset.streams.first(where: { $0.index == track.index }),
            stream.codecHeader.count < least
        else { return nil }
        return PlanReason(
            .codecNotInMP4,
            "its container lacks the header of \(track.codec), which an MP4 must have")
    }

    private func beyondPreset(
        _ track: AssetTrack, _ asset: InspectedAsset, _ segment: TrackSegment
    ) -> PlanReason? {
        guard let traits = track.audio else {
            return PlanReason(.formatUnknown, "its format is unknown")
        }
        guard track.codec == "aac", track.profile == "LC" else {
            return PlanReason(
                .otherCodec,
                "\(track.codec)\(track.profile.map { " \($0)" } ?? "") is not the preset's aac")
        }
        switch asset.soundContinuity(track.index) {
        case true: break
        case false: return PlanReason(.gaps, SoundContinuity.reason)
        default:
            if !mayTry { return PlanReason(.gapsUnknown, "whether it has gaps is not known") }
        }
        if track.startTime != segment.sourceStart {
            return PlanReason(.startsLate, "it starts later than the pictures")
        }
        if traits.channels > settings.maxChannels {
            return PlanReason(
                .channels,
                "it has \(traits.channels) channels, the preset at most \(settings.maxChannels)")
        }
        if traits.channels > 2, traits.channelLayout != "5.1" {
            return PlanReason(
                .channelLayout,
                "its channel layout \(traits.channelLayout ?? "") is not widely played")
        }
        if traits.sampleRate > settings.maxSampleRate || traits.sampleRate < AudioRates.lowest {
            return PlanReason(
                .sampleRate, "its sample rate of \(traits.sampleRate) Hz is outside the preset's")
        }
        let most = Double(settings.bitRatePerChannel * traits.channels) * Self.slack
        guard let rate = track.bitRate else {
            return PlanReason(.bitRateUnknown, "its bit rate is unknown")
        }
        if Double(rate) > most {
            return PlanReason(
                .bitRate, "its \(rate / 1000) kb/s exceed the preset's \(Int(most) / 1000)")
        }
        return nil
    }
}
