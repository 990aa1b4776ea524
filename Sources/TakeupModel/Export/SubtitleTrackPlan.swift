/// One of the output's subtitle tracks, always as MP4 timed text.
public struct SubtitleTrackPlan: Sendable, Equatable, Codable {
    public var segments: [TrackSegment]
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    public var isForced: Bool

    package init(
        segments: [TrackSegment], language: String? = nil, title: String? = nil, isDefault: Bool,
        isForced: Bool
    ) {
        self.segments = segments
        self.language = language
        self.title = title
        self.isDefault = isDefault
        self.isForced = isForced
    }
}
