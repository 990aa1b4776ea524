/// One of the output's subtitle tracks, always as MP4 timed text.
public struct SubtitleTrackPlan: Sendable, Equatable {
    public var segments: [TrackSegment]
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    public var isForced: Bool
}
