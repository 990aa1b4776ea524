public import TakeupTimeline

/// Every decision of an export and its reason, made before any work.
public struct ExportPlan: Sendable, Equatable, Codable {
    /// Names of the session's assets.
    public var sources: [String]
    public var preset: ExportPreset
    public var container: ContainerFormat
    public var video: VideoTrackPlan?
    public var audio: [AudioTrackPlan]
    public var subtitles: [SubtitleTrackPlan]
    /// A still picture of the first asset that is carried along: its track there.
    public var coverTrack: Int?
    public var chapters: [Chapter]
    public var metadata: [String: String]
    /// How long the output lasts.
    public var duration: MediaTime
    /// Bytes that the output must not exceed.
    public var sizeLimit: Int64?
    public var fastStart: Bool
    /// The output's tracks, in its order.
    public var tracks: [PlannedTrack] = []
    public var dropped: [DroppedTrack] = []
    public var losses: [PlanLoss] = []
    public var decisions: [Decision]
    public var warnings: [ExportWarning]
    /// What the sources are known to lack; nil when they seem whole.
    public var loss: LossReport?
    /// The part of that which decoding what is there cannot count.
    package var absent: LossReport?
    /// Entries of QuickTime metadata, which go into the movie beside `metadata`.
    package var quickTimeKeys: [String: String] = [:]

    package init(
        sources: [String], preset: ExportPreset, container: ContainerFormat,
        video: VideoTrackPlan? = nil, audio: [AudioTrackPlan], subtitles: [SubtitleTrackPlan],
        coverTrack: Int? = nil, chapters: [Chapter], metadata: [String: String],
        duration: MediaTime, sizeLimit: Int64? = nil, fastStart: Bool,
        tracks: [PlannedTrack] = [], dropped: [DroppedTrack] = [], losses: [PlanLoss] = [],
        decisions: [Decision], warnings: [ExportWarning], loss: LossReport? = nil,
        absent: LossReport? = nil, quickTimeKeys: [String: String] = [:]
    ) {
        self.sources = sources
        self.preset = preset
        self.container = container
        self.video = video
        self.audio = audio
        self.subtitles = subtitles
        self.coverTrack = coverTrack
        self.chapters = chapters
        self.metadata = metadata
        self.duration = duration
        self.sizeLimit = sizeLimit
        self.fastStart = fastStart
        self.tracks = tracks
        self.dropped = dropped
        self.losses = losses
        self.decisions = decisions
        self.warnings = warnings
        self.loss = loss
        self.absent = absent
        self.quickTimeKeys = quickTimeKeys
    }

    /// Whether a track was copied because it met the preset, so that nobody has looked whether it is sound.
    package var copiesUnread: Bool {
        let copiesVideo =
            video.map { ($0.mode == .copy || !$0.parts.isEmpty) && preset.video?.codec != .copy }
            ?? false
        let copiesAudio = audio.contains { $0.mode == .copy } && preset.audio?.codec != .copy
        return copiesVideo || copiesAudio
    }

    /// Whether no track is made anew and all come whole from one source, so that one loop does it all.
    public var isPlainCopy: Bool {
        let copiesVideo = video.map { $0.mode == .copy } ?? true
        let segments = (video?.segments ?? []) + audio.flatMap(\.segments)
        return copiesVideo && (video?.segments.count ?? 1) == 1
            && audio.allSatisfy { $0.mode == .copy && $0.segments.count == 1 }
            && subtitles.isEmpty && coverTrack == nil && segments.allSatisfy(\.isWhole)
            && Set(segments.map(\.source)).count == 1
    }
}

extension ExportPlan {
    /// Names of sources for messages, each once.
    package static func names(_ sources: [String]) -> String {
        sources.indices.filter { sources.firstIndex(of: sources[$0]) == $0 }.map { sources[$0] }
            .joined(separator: ", ")
    }
}

extension ExportPlan: CustomStringConvertible {
    /// A line a decision: subject, choice, reason.
    public var description: String {
        decisions.map { "\($0.subject): \($0.choice) (\($0.reason))" }.joined(separator: "\n")
    }
}
