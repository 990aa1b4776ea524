/// Which names in a folder go with which: a film's sound and subtitles in files of their own.
///
/// They come together and settle together. A name belongs to one film at most; where two films share a stem, to the
/// first by its bytes.
public struct SideCars: Sendable, Equatable {
    static let films: Set<String> = [
        "3gp", "asf", "avi", "dv", "f4v", "flv", "gxf", "m2t", "m2ts", "m2v", "m4v", "mkv", "mov",
        "mp4", "mpeg", "mpg", "mts", "mxf", "nut", "ogv", "qt", "ts", "vob", "webm", "wmv", "y4m",
    ]
    private static let sounds: Set<String> = [
        "aac", "ac3", "aif", "aiff", "caf", "dts", "eac3", "flac", "m4a", "mka", "mp2", "mp3",
        "ogg", "opus", "w64", "wav",
    ]
    private static let subtitles: Set<String> = [
        "ass", "dfxp", "idx", "scc", "srt", "ssa", "stl", "sub", "sup", "ttml", "vtt",
    ]
    /// Words between a film's name and a side-car's suffix, as in `clip.en.forced.srt`.
    private static let mostTags = 3
    private static let mostTagBytes = 12

    private let owned: [ExactPath: [String]]

    /// - Parameter names: Last names of all files of one folder.
    public init(_ names: [String]) {
        var films: [ExactPath: String] = [:]
        var others: [String] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard let (stem, suffix) = Self.split(name) else { continue }
            if Self.films.contains(suffix) {
                if films[ExactPath(stem)] == nil { films[ExactPath(stem)] = name }
            } else if Self.sounds.contains(suffix) || Self.subtitles.contains(suffix) {
                others.append(name)
            }
        }
        var owned: [ExactPath: [String]] = [:]
        for name in others {
            if let film = Self.owner(of: name, films) {
                owned[ExactPath(film), default: []].append(name)
            }
        }
        self.owned = owned
    }

    /// What goes with a film, sorted by its bytes; empty for what is none.
    public func of(_ film: String) -> [String] { owned[ExactPath(film)] ?? [] }

    /// What goes with a film and is no media by itself, so that nothing is ever made of it alone.
    public func subtitles(of film: String) -> [String] {
        of(film).filter { Self.split($0).map { Self.subtitles.contains($0.suffix) } ?? false }
    }

    private static func owner(of name: String, _ films: [ExactPath: String]) -> String? {
        guard let (whole, suffix) = split(name) else { return nil }
        var stem = whole
        // Only subtitles have words between: `clip.old.wav` is a sound of another name.
        for _ in 0...(subtitles.contains(suffix) ? mostTags : 0) {
            if let film = films[ExactPath(stem)] { return film }
            guard let (shorter, tag) = split(stem), isTag(tag) else { return nil }
            stem = shorter
        }
        return nil
    }

    /// A language or a word such as `forced`.
    private static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= mostTagBytes
            && text.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
    }

    /// A name's stem, and its suffix in lower case.
    private static func split(_ name: String) -> (stem: String, suffix: String)? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }
}
