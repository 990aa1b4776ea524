/// Which files of a watched folder are nobody's work, by the lines of its `.takeupignore`.
///
/// The lines mean what they mean in a `.gitignore` at the same place: the last one that matches decides,
/// `!` takes a file back, a `/` at the end is for folders only, and nothing below an ignored folder can
/// be taken back.
///
/// - Note: Source: gitignore(5).
public struct IgnoreFile: Sendable, Equatable {
    /// What it is called, at the root of the watched folder.
    public static let name = ".takeupignore"
    public static let mostBytes = 65_536
    public static let mostPatterns = 1000

    private struct Line: Sendable, Equatable {
        let pattern: GlobPattern
        let number: Int
        let takesBack: Bool
        let isOfFolders: Bool
    }

    private let lines: [Line]

    /// One that ignores nothing.
    public init() {
        lines = []
    }

    /// Reads a file's text.
    ///
    /// - Parameter text: At most 65,536 bytes with at most 1,000 patterns.
    /// - Throws: `WatchError.unreadable` beyond these limits, and for a pattern that is too long.
    public init(_ text: String) throws(WatchError) {
        guard text.utf8.count <= Self.mostBytes else {
            throw .unreadable(setting: Self.name, reason: "more than \(Self.mostBytes) bytes")
        }
        var scalars = text.unicodeScalars[...]
        if scalars.first == "\u{feff}" { scalars.removeFirst() }
        let lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            String($0.last == "\r" ? $0.dropLast() : $0)
        }
        try self.init(lines: lines, of: Self.name)
    }

    /// Reads patterns that come one by one, as from an option.
    ///
    /// - Parameters:
    ///   - lines: Each as a line of the file; what follows a line is of more weight.
    ///   - setting: What errors call them.
    /// - Throws: `WatchError.unreadable` for too many, and for one that is too long.
    public init(lines: [String], of setting: String) throws(WatchError) {
        var read: [Line] = []
        for (index, text) in lines.enumerated() {
            guard let line = try Self.line(text, number: index + 1, of: setting) else { continue }
            guard read.count < Self.mostPatterns else {
                throw .unreadable(
                    setting: setting, reason: "more than \(Self.mostPatterns) patterns")
            }
            read.append(line)
        }
        self.lines = read
    }

    /// Whether a file, or a folder with all that is in it, is ignored.
    ///
    /// - Parameters:
    ///   - path: From the watched folder on, with `/` between names.
    ///   - isFolder: Whether it is a folder; what comes before its last name always is.
    /// - Returns: `true` also below a folder that is ignored.
    public func ignores(_ path: String, isFolder: Bool = false) -> Bool {
        line(ignoring: path, isFolder: isFolder) != nil
    }

    /// The number of the line that has a file ignored, from 1; nil for one that is not.
    public func line(ignoring path: String, isFolder: Bool = false) -> Int? {
        guard !lines.isEmpty else { return nil }
        let scalars = Array(path.unicodeScalars)
        var start = 0
        for (index, scalar) in scalars.enumerated() where scalar == "/" {
            let line = decisive(scalars[..<index], nameFrom: start, isFolder: true)
            if let line, !line.takesBack { return line.number }
            start = index + 1
        }
        let line = decisive(scalars[...], nameFrom: start, isFolder: isFolder)
        return line.flatMap { $0.takesBack ? nil : $0.number }
    }

    /// The last line that matches.
    private func decisive(
        _ path: ArraySlice<Unicode.Scalar>, nameFrom start: Int, isFolder: Bool
    ) -> Line? {
        lines.last { line in
            guard isFolder || !line.isOfFolders else { return false }
            return line.pattern.matches(line.pattern.isOfNames ? path[start...] : path)
        }
    }

    private static func line(
        _ text: String, number: Int, of setting: String
    ) throws(WatchError) -> Line? {
        guard !text.hasPrefix("#") else { return nil }
        var text = trimmed(text)
        let takesBack = text.first == "!"
        if takesBack { text.removeFirst() }
        let isOfFolders = text.last == "/"
        if isOfFolders { text.removeLast() }
        guard !text.isEmpty else { return nil }
        do {
            let pattern = try GlobPattern(String(String.UnicodeScalarView(text)))
            return Line(
                pattern: pattern, number: number, takesBack: takesBack, isOfFolders: isOfFolders)
        } catch {
            throw .unreadable(
                setting: "\(setting), line \(number)",
                reason: "a pattern has at most \(GlobPattern.mostBytes) bytes")
        }
    }

    /// Without the spaces at its end, but for those behind a `\`.
    private static func trimmed(_ text: String) -> [Unicode.Scalar] {
        let text = Array(text.unicodeScalars)
        var end = 0
        var place = 0
        while place < text.count {
            let isEscape = text[place] == "\\" && place + 1 < text.count
            place += isEscape ? 2 : 1
            if isEscape || text[place - 1] != " " { end = place }
        }
        return Array(text[..<end])
    }
}
