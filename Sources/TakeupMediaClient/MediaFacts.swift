/// What rules ask of a media file; nil is not known, or not there.
public struct MediaFacts: Codable, Sendable, Equatable {
    package static let mostLanguages = 64
    static let mostNameBytes = 64
    static let mostReasonBytes = 1000

    /// From the first to the last time that is shown or heard.
    public var seconds: Double?
    /// Width of the picture track, upright and in square pixels.
    public var width: Int?
    public var height: Int?
    /// FFmpeg's names, such as `h264` and `aac`, of the tracks that play where nobody chooses.
    public var videoCodec: String?
    public var audioCodec: String?
    /// Languages of the sound tracks, each once, in track order, as the file states them: `eng`, `de`.
    public var languages: [String] = []
    /// Covers are no video.
    public var hasVideo = false
    /// Why the file counts as incomplete: cut off, or its index not written yet.
    ///
    /// When the file does not even open for that reason, nothing else is known.
    public var cutShort: String?
    /// Whether the whole file was looked at; otherwise `cutShort` is unknown and `seconds` may be a guess.
    public var isChecked = true

    public init() {}

    /// Whether it did not even open.
    package var isUnopened: Bool { videoCodec == nil && audioCodec == nil && seconds == nil }

    /// A copy within all limits, whatever a helper says.
    package var bounded: MediaFacts {
        var facts = self
        facts.seconds = seconds.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        facts.width = width.flatMap { $0 > 0 ? $0 : nil }
        facts.height = height.flatMap { $0 > 0 ? $0 : nil }
        facts.videoCodec = videoCodec.map { Self.cut($0, Self.mostNameBytes) }
        facts.audioCodec = audioCodec.map { Self.cut($0, Self.mostNameBytes) }
        facts.languages = languages.prefix(Self.mostLanguages).map {
            Self.cut($0, Self.mostNameBytes)
        }
        facts.cutShort = cutShort.map { Self.cut($0, Self.mostReasonBytes) }
        return facts
    }

    private static func cut(_ text: String, _ bytes: Int) -> String {
        if text.utf8.count <= bytes { return text }
        return String(decoding: text.utf8.prefix(bytes), as: UTF8.self)
    }
}
