/// One of the output's audio tracks.
public struct AudioTrackPlan: Sendable, Equatable {
    public var segments: [TrackSegment]
    public var mode: TrackMode<AudioEncoding>
    /// Why it is copied or encoded.
    public var reason: PlanReason
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    /// Where its sound begins and ends; nil where the sources do not tell exactly.
    public var promise: TrackPromise?
}
