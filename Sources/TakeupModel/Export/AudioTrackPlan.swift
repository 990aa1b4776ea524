/// One of the output's audio tracks.
public struct AudioTrackPlan: Sendable, Equatable, Codable {
    /// In order; those of mixed tracks stand one track after another.
    public var segments: [TrackSegment]
    /// The tracks that are mixed; nil where the sound of the segments follows each other as it is.
    public var mix: [MixedTrack]?
    /// How its sound gets the preset's loudness; nil leaves it as loud as it is.
    public var loudness: LoudnessPlan?
    public var mode: TrackMode<AudioEncoding>
    /// Why it is copied or encoded.
    public var reason: PlanReason
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    /// Where its sound begins and ends; nil where the sources do not tell exactly.
    public var promise: TrackPromise?

    package init(
        segments: [TrackSegment], mix: [MixedTrack]? = nil, loudness: LoudnessPlan? = nil,
        mode: TrackMode<AudioEncoding>, reason: PlanReason, language: String? = nil,
        title: String? = nil, isDefault: Bool,
        promise: TrackPromise? = nil
    ) {
        self.segments = segments
        self.mix = mix
        self.loudness = loudness
        self.mode = mode
        self.reason = reason
        self.language = language
        self.title = title
        self.isDefault = isDefault
        self.promise = promise
    }
}
