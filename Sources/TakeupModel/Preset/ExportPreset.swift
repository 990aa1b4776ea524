/// What an export makes of any source: container, codecs, limits and what goes along.
///
/// A preset is a plain value. Start from a shipped one and change it, or read a file:
/// ```swift
/// var preset = try ExportPreset.named("1280x720")
/// preset.sizeLimit = 8_000_000
/// ```
public struct ExportPreset: Sendable, Equatable {
    /// The preset that an export uses when none is asked for.
    public static let defaultName = "medium"

    /// 1 to 64 of `A–Z a–z 0–9 . _ -`.
    public var name: String

    /// One line on what the preset is for.
    public var description: String

    public var container: ContainerFormat

    /// The picture; nil leaves video tracks out.
    public var video: VideoSettings?

    /// The sound; nil leaves audio tracks out.
    public var audio: AudioSettings?

    /// Whether text subtitles go along, as `mov_text`.
    public var subtitles: Carry

    /// Whether the index stands before the media, so that playback can begin during a download.
    public var fastStart: Bool = true

    /// The most bytes that the output may have, 10,000 or more; nil sets no limit.
    public var sizeLimit: Int64?

    /// What was changed of it for one export, in the changes' order; empty for a preset as it is.
    public package(set) var changes: [PresetChange] = []

    /// Makes a preset that holds no track until `video` or `audio` is set.
    public init(name: String, description: String, container: ContainerFormat) {
        self.name = name
        self.description = description
        self.container = container
        subtitles = container == .m4a ? .drop : .keep
    }
}
