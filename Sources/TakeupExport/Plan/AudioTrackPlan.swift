/// One of the output's audio tracks.
public struct AudioTrackPlan: Sendable, Equatable {
    public var segments: [TrackSegment]
    public var mode: TrackMode<AudioEncoding>
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    /// Where its sound begins and ends; nil where the sources do not tell exactly.
    public var promise: TrackPromise?
}
