public import TakeupTimeline

/// Everything that inspecting an asset found out, copied: it holds no file open.
public struct AssetDescription: Sendable, Equatable, Codable {
    /// The path or address as it was given.
    public var name: String
    /// FFmpeg's demuxer name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    /// Bytes; nil when the source does not say.
    public var bytes: Int64?
    /// From the first to the last presentation time of any playable track; zero when unknown.
    public var duration: MediaTime
    /// The earliest presentation time: what becomes time 0 of an export.
    public var startTime: MediaTime
    public var tracks: [AssetTrack]
    public var chapters: [Chapter]
    public var metadata: [String: String]
    /// What is missing from the source, when that shows without decoding it.
    public var loss: LossReport?
    public var warnings: [ExportWarning]

    /// Why it cannot be played; nil when it can.
    public var notPlayableReason: String?
    /// Why it cannot be exported; nil when it can.
    public var notExportableReason: String?
    /// How it is protected; nil when it is not.
    public var protectionReason: String?

    package init(
        name: String, container: String, bytes: Int64? = nil, duration: MediaTime,
        startTime: MediaTime, tracks: [AssetTrack], chapters: [Chapter],
        metadata: [String: String], loss: LossReport? = nil, warnings: [ExportWarning],
        notPlayableReason: String? = nil, notExportableReason: String? = nil,
        protectionReason: String? = nil
    ) {
        self.name = name
        self.container = container
        self.bytes = bytes
        self.duration = duration
        self.startTime = startTime
        self.tracks = tracks
        self.chapters = chapters
        self.metadata = metadata
        self.loss = loss
        self.warnings = warnings
        self.notPlayableReason = notPlayableReason
        self.notExportableReason = notExportableReason
        self.protectionReason = protectionReason
    }

    public var isPlayable: Bool { notPlayableReason == nil }
    public var isExportable: Bool { notExportableReason == nil }
    public var hasProtectedContent: Bool { protectionReason != nil }
}
