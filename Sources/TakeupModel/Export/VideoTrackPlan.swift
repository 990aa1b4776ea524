/// The output's video track.
public struct VideoTrackPlan: Sendable, Equatable, Codable {
    /// In order; those of a composition stand from the lowest layer to the one on top.
    public var segments: [TrackSegment]
    public var mode: TrackMode<VideoEncoding>
    /// The parts that are copied and those that are encoded, in order; empty if the mode holds for
    /// the whole track.
    public var parts: [VideoPart] = []
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
        composition: ComposedPictures? = nil, parts: [VideoPart] = []
    ) {
        self.segments = segments
        self.mode = mode
        self.reason = reason
        self.language = language
        self.title = title
        self.promise = promise
        self.composition = composition
        self.parts = parts
    }
}
