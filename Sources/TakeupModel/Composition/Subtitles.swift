public import TakeupTimeline

/// Subtitles of a timeline: a track of their own, or drawn into the pictures.
///
/// Without one, the text subtitles of the lowest track with pictures are kept, as those of a single source are.
public struct Subtitles: Sendable, Hashable, Codable {
    /// The path of a file in SubRip's or WebVTT's form; nil for the subtitles of the timeline's sources, which are drawn.
    public var source: String?
    /// When the file's times begin on the timeline; it may be before 0.
    public var start: MediaTime
    /// Three letters, as ISO 639-2 has them; of sources, which subtitles are drawn, nil for the first.
    public var language: String?
    /// A name for people, for a track.
    public var title: String?
    /// How they are drawn; nil makes a track.
    public var style: TextStyle?

    public init(
        source: String? = nil, start: MediaTime = .zero, language: String? = nil,
        title: String? = nil, style: TextStyle? = nil
    ) {
        (self.source, self.start, self.language) = (source, start, language)
        (self.title, self.style) = (title, style)
    }

    /// Returns what is wrong, or nil.
    var fault: String? {
        if source == nil, style == nil {
            return "names no file and is not drawn; those of the sources are kept without it"
        }
        if let source, source.isEmpty { return "names no file" }
        if source == nil, start != .zero { return "has a start, but no file" }
        if let language, !Self.isLanguage(language) {
            return "has the language \(language.prefix(20)), but it needs three letters such as eng"
        }
        if title != nil, style != nil { return "has a title, but is drawn" }
        return style?.fault
    }

    private static func isLanguage(_ text: String) -> Bool {
        text.utf8.count == 3
            && text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }

    /// A text that tells it apart from all others, for keys, where files are told by their numbers.
    func key(_ number: (String) -> Int) -> String {
        [
            "subtitles", source.map { "\(number($0))" } ?? "", "\(start.value)/\(start.timescale)",
            language ?? "", style.map { $0.key(font: number($0.font)) } ?? "", title ?? "",
        ].joined(separator: ",")
    }
}
