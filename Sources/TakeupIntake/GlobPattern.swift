import Foundation
internal import TakeupFiles

/// A shell's pattern that no shell has expanded: `*`, `?`, `[…]`, `{a,b}`, and `**` for any folders in between.
///
/// Names that begin with a dot are matched only by a dot, links to folders are not followed by `**`.
struct GlobPattern {
    /// Patterns that braces may stand for.
    static let mostAlternatives = 1000

    /// What there is.
    struct Found: Equatable {
        /// Absolute, each once, in the order of their bytes.
        var paths: [String] = []
        /// What could not be looked at, and what no pattern takes.
        var skipped: [BatchList.Skipped] = []
        private var told: Set<String> = []

        /// `**` comes to a folder more than once.
        mutating func skip(_ path: String, _ reason: String, isExpected: Bool = false) {
            guard told.insert(path).inserted else { return }
            skipped.append(BatchList.Skipped(path: path, reason: reason, isExpected: isExpected))
        }
    }

    private let alternatives: [String]
    /// What only a pattern enters that names it.
    private let output: FolderWalk.Identity?

    /// Fails for braces that stand for more than `mostAlternatives`.
    ///
    /// - Parameters:
    ///   - text: As a user gives it.
    ///   - output: A folder that wildcards do not match; nil for none.
    init?(_ text: String, except output: String?) {
        guard let alternatives = Self.alternatives(text) else { return nil }
        self.alternatives = alternatives
        var facts = stat()
        let isThere = output.map { stat($0, &facts) == 0 } ?? false
        self.output = isThere ? FolderWalk.Identity(facts) : nil
    }

    static func isPattern(_ text: String) -> Bool {
        text.contains { "*?[".contains($0) } || text.contains("{") && text.contains(",")
    }

    func matches(from folder: String) -> Found {
        var found = Found()
        for pattern in alternatives {
            let parts = Folder.names(of: pattern)
            let start = Folder.isAbsolute(pattern) ? "" : folder == "/" ? "" : folder
            look(start, parts[...], depth: 0, &found)
        }
        found.paths = Set(found.paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return found
    }

    /// Whether a file in the folder of the outputs is one that this matches, whether it is there or not.
    func takes(_ output: String, from folder: String) -> Bool {
        alternatives.contains { pattern in
            let path = ListPath.absolute(pattern, from: folder)
            return Self.matches(Self.parts(path)[...], Self.parts(output)[...])
        }
    }

    private static func parts(_ path: String) -> [String] {
        Folder.names(of: path)
    }

    private static func matches(_ parts: ArraySlice<String>, _ names: ArraySlice<String>) -> Bool {
        guard let part = parts.first, let name = names.first else {
            return parts.isEmpty && names.isEmpty
        }
        let rest = parts.dropFirst()
        // Wildcards do not match the folder of the outputs.
        let isFolder = names.count == 2
        if part == "**" {
            return matches(rest.isEmpty ? ["*"] : rest, names)
                || !isFolder && names.count > 1 && matches(parts, names.dropFirst())
        }
        let isWild = part.contains { "*?[".contains($0) }
        guard isWild ? !isFolder && fnmatch(part, name, FNM_PERIOD) == 0 : part == name else {
            return false
        }
        return matches(rest, names.dropFirst())
    }

    /// Why a file that matches is passed over; nil for media, and for a suffix that the pattern spells out.
    func objection(to path: String) -> (reason: String, isExpected: Bool)? {
        let name = ListPath.name(of: path)
        if ListFormat(name: name) != nil { return ("a list, which has to be named itself", true) }
        // Only a pattern with a dot of its own has matched a hidden name.
        let kind = MediaName.kind(of: String(name.drop { $0 == "." }))
        let suffix = ListPath.split(name).suffix
        let isSpelled = !suffix.isEmpty && alternatives.contains { $0.hasSuffix(".\(suffix)") }
        if kind == .unknown, isSpelled { return nil }
        return kind.reason.map { ($0, kind.isExpected) }
    }

    /// Every pattern that one with `{a,b}` stands for; braces without a comma or an end are letters.
    ///
    /// - Returns: nil for more than `mostAlternatives`.
    static func alternatives(_ text: String) -> [String]? {
        var (done, open): ([String], [String]) = ([], [text])
        while let pattern = open.popLast() {
            guard let (head, choices, tail) = split(pattern) else {
                done.append(pattern)
                continue
            }
            open += choices.reversed().map { head + $0 + tail }
            guard done.count + open.count <= mostAlternatives else { return nil }
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

    private func look(
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

    /// The paths in a folder whose names match, but for folders that a walk passes over.
    private func entries(
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
            if !isUTF8 {
                found.skip(path, FolderWalk.notUTF8)
            } else if isOutput(path) {
                found.skip(path, "the folder of the outputs", isExpected: true)
            } else if MediaName.isPassedOver(folder: name), pattern.first != name.first,
                kind(of: path, &found) == S_IFDIR
            {
                found.skip(path, FolderWalk.passedOver, isExpected: true)
            } else {
                paths.append(path)
            }
        }
        return paths
    }

    private func isOutput(_ path: String) -> Bool {
        var facts = stat()
        return output != nil && stat(path, &facts) == 0 && FolderWalk.Identity(facts) == output
    }

    /// The type bits of what there is; nil for nothing.
    private func kind(
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
