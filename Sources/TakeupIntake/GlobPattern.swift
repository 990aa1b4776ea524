import Foundation

/// A shell's pattern that no shell has expanded: `*`, `?`, `[…]`, `{a,b}`, and `**` for any folders in between.
///
/// Names that begin with a dot are matched only by a dot, links to folders are not followed by `**`.
struct GlobPattern {
    /// Patterns that braces may stand for.
    private static let mostAlternatives = 1000

    /// What there is.
    struct Found: Equatable {
        /// Absolute, each once, in the order of their bytes.
        var paths: [String] = []
        /// What could not be looked at, and matches whose names are not UTF-8.
        var skipped: [BatchList.Skipped] = []
        private var told: Set<String> = []

        /// `**` comes to a folder more than once.
        fileprivate mutating func skip(_ path: String, _ reason: String) {
            guard told.insert(path).inserted else { return }
            skipped.append(BatchList.Skipped(path: path, reason: reason))
        }
    }

    private let text: String

    init(_ text: String) { self.text = text }

    static func isPattern(_ text: String) -> Bool {
        text.contains { "*?[".contains($0) } || text.contains("{") && text.contains(",")
    }

    func matches(from folder: String) -> Found {
        var found = Found()
        for pattern in Self.alternatives(text) {
            let parts = pattern.split(separator: "/").map(String.init)
            let start = pattern.hasPrefix("/") ? "" : folder == "/" ? "" : folder
            Self.look(start, parts[...], depth: 0, &found)
        }
        found.paths = Set(found.paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return found
    }

    /// Every pattern that one with `{a,b}` stands for; braces without a comma or an end are letters.
    static func alternatives(_ text: String) -> [String] {
        var (done, open): ([String], [String]) = ([], [text])
        while let pattern = open.popLast(), done.count < mostAlternatives {
            guard let (head, choices, tail) = split(pattern) else {
                done.append(pattern)
                continue
            }
            open += choices.reversed().map { head + $0 + tail }
        }
        return done
    }

    /// The first innermost brace with a comma.
    private static func split(_ text: String) -> (head: String, choices: [String], tail: String)? {
        var start: String.Index?
        for index in text.indices {
            if text[index] == "{" { start = index }
            guard text[index] == "}", let begin = start else { continue }
            let inner = text[text.index(after: begin)..<index]
            guard inner.contains(",") else {
                start = nil
                continue
            }
            let choices = inner.split(separator: ",", omittingEmptySubsequences: false)
            return (
                String(text[..<begin]), choices.map(String.init),
                String(text[text.index(after: index)...])
            )
        }
        return nil
    }

    private static func look(
        _ folder: String, _ parts: ArraySlice<String>, depth: Int, _ found: inout Found
    ) {
        guard let part = parts.first else {
            found.paths.append(folder.isEmpty ? "/" : folder)
            return
        }
        let rest = parts.dropFirst()
        if part == "**" {
            look(folder, rest.isEmpty ? ["*"] : rest, depth: depth, &found)
            guard depth < FolderWalk.deepest else { return }
            for path in entries(of: folder, like: "*", &found)
            where kind(of: path, followsLinks: false, &found) == S_IFDIR {
                look(path, parts, depth: depth + 1, &found)
            }
        } else if part.contains(where: { "*?[".contains($0) }) {
            for path in entries(of: folder, like: part, &found)
            where rest.isEmpty || kind(of: path, &found) == S_IFDIR {
                look(path, rest, depth: depth, &found)
            }
        } else if kind(of: "\(folder)/\(part)", &found) != nil {
            look("\(folder)/\(part)", rest, depth: depth, &found)
        }
    }

    /// The paths in a folder whose names match.
    private static func entries(
        of folder: String, like pattern: String, _ found: inout Found
    ) -> [String] {
        guard let names = FolderWalk.names(in: folder.isEmpty ? "/" : folder) else {
            found.skip(folder, FolderWalk.reason(ListFile.error(folder)))
            return []
        }
        var paths: [String] = []
        for (name, isUTF8) in names
        where name != "." && name != ".." && fnmatch(pattern, name, FNM_PERIOD) == 0 {
            let path = "\(folder)/\(name)"
            isUTF8 ? paths.append(path) : found.skip(path, FolderWalk.notUTF8)
        }
        return paths
    }

    /// The type bits of what there is; nil for nothing.
    private static func kind(
        of path: String, followsLinks: Bool = true, _ found: inout Found
    ) -> mode_t? {
        var facts = stat()
        if (followsLinks ? stat(path, &facts) : lstat(path, &facts)) == 0 {
            return facts.st_mode & S_IFMT
        }
        if errno != ENOENT, errno != ENOTDIR {
            found.skip(path, FolderWalk.reason(ListFile.error(path)))
        }
        return nil
    }
}
