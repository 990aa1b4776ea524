/// The output's video track.
public struct VideoTrackPlan: Sendable, Equatable, Codable {
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

    package init(
        segments: [TrackSegment], mode: TrackMode<VideoEncoding>, reason: PlanReason,
        language: String? = nil, title: String? = nil, promise: TrackPromise? = nil,
        parts: [VideoPart] = []
    ) {
        self.segments = segments
        self.mode = mode
        self.reason = reason
        self.language = language
        self.title = title
        self.promise = promise
        self.parts = parts
    }
}
