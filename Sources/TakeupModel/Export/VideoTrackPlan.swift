/// The output's video track.
public struct VideoTrackPlan: Sendable, Equatable, Codable {
    /// In order; those of a composition stand from the lowest layer to the one on top.
    public var segments: [TrackSegment]
    public var mode: TrackMode<VideoEncoding>
    /// Why it is copied or encoded.
    public var reason: PlanReason
    public var language: String?
    public var title: String?
    /// Where its pictures begin and end; nil where the sources do not tell exactly.
    public var promise: TrackPromise?
    /// How its pictures are made of several; nil where the segments follow each other.
    public var composition: ComposedPictures?

    package init(
        segments: [TrackSegment], mode: TrackMode<VideoEncoding>, reason: PlanReason,
        language: String? = nil, title: String? = nil, promise: TrackPromise? = nil,
        composition: ComposedPictures? = nil
    ) {
        self.segments = segments
        self.mode = mode
        self.reason = reason
        self.language = language
        self.title = title
        self.promise = promise
        self.composition = composition
    }
}
