/// The output's video track.
public struct VideoTrackPlan: Sendable, Equatable {
    public var segments: [TrackSegment]
    public var mode: TrackMode<VideoEncoding>
    /// Why it is copied or encoded.
    public var reason: PlanReason
    public var language: String?
    public var title: String?
    /// Where its pictures begin and end; nil where the sources do not tell exactly.
    public var promise: TrackPromise?
}
