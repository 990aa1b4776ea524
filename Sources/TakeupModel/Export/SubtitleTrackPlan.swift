/// One of the output's subtitle tracks, always as MP4 timed text.
public struct SubtitleTrackPlan: Sendable, Equatable, Codable {
    /// In order; empty for those of a file.
    public var segments: [TrackSegment]
    /// The file of subtitles that it is made of; nil for those of the sources.
    public var file: PlacedSubtitleFile?
    public var language: String?
    public var title: String?
    public var isDefault: Bool
    public var isForced: Bool

    package init(
        segments: [TrackSegment], language: String? = nil, title: String? = nil, isDefault: Bool,
        isForced: Bool, file: PlacedSubtitleFile? = nil
    ) {
        self.file = file
        self.segments = segments
        self.language = language
        self.title = title
        self.isDefault = isDefault
        self.isForced = isForced
    }
}
