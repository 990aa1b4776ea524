/// One of the output's audio tracks.
public struct AudioTrackPlan: Sendable, Equatable, Codable {
    public var segments: [TrackSegment]
    public var mode: TrackMode<AudioEncoding>
    /// Why it is copied or encoded.
    public var reason: PlanReason
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    /// Where its sound begins and ends; nil where the sources do not tell exactly.
    public var promise: TrackPromise?

    package init(
        segments: [TrackSegment], mode: TrackMode<AudioEncoding>, reason: PlanReason,
        language: String? = nil, title: String? = nil, isDefault: Bool,
        promise: TrackPromise? = nil
    ) {
        self.segments = segments
        self.mode = mode
        self.reason = reason
        self.language = language
        self.title = title
        self.isDefault = isDefault
        self.promise = promise
    }
}
