import Foundation
import TakeupWatch
import TestSupport
import Testing

@Suite("Ignore file")
struct IgnoreFileTests {
    @Test("the last line that matches decides")
    func lastLine() throws {
        let file = try IgnoreFile("# films\n*.mkv\n!keep.mkv\n\nold/\n/top.mov\r\n")
        #expect(file.line(ignoring: "a/clip.mkv") == 2)
        #expect(!file.ignores("a/keep.mkv"))
        #expect(file.line(ignoring: "old/keep.mkv") == 5)
        #expect(!file.ignores("old"))
        #expect(file.ignores("old", isFolder: true))
        #expect(file.ignores("top.mov"))
        #expect(!file.ignores("a/top.mov"))
        #expect(!IgnoreFile().ignores("clip.mov"))
    }

    @Test("has limits")
    func limits() throws {
        let lines = [String](repeating: "*.x", count: IgnoreFile.mostPatterns)
        #expect(try IgnoreFile(lines: lines, of: "exclude").ignores("a.x"))
        #expect(throws: WatchError.self) {
            try IgnoreFile(lines: lines + ["*.y"], of: "exclude")
        }
        let text = String(repeating: "\n", count: IgnoreFile.mostBytes)
        #expect(try IgnoreFile(text) == IgnoreFile())
        #expect(throws: WatchError.self) { try IgnoreFile(text + "\n") }
        let long = "*.x\n" + String(repeating: "y", count: GlobPattern.mostBytes + 1)
        let error = WatchError.unreadable(
            setting: ".takeupignore, line 2", reason: "a pattern has at most 1024 bytes")
        #expect(throws: error) { try IgnoreFile(long) }
    }

    /// Lines that mean something of their own, and paths that lie near them.
    private static let texts = [
        "*.mov\n!keep.mov", "/a/*.mov", "a/", "a/**", "**/b", "a/**/b", "a/*\n!a/b",
        "*\n!*/\n!b.mov",
        "\\#x\n\\!y\n#a", "b.mov  \nspace\\ ", "[ab].mov", "[!a]*.mov", "a?b", "?", "/b", "b/",
        "**/a/**\n!a/b/x", "*/b", "a**b", "\\a", "[[:alpha:]].mov", "x/\n!x/y.mov", "/", "!", "a//",
        "*.\n.*", "\u{feff}b", "a/b/", "/**/b", "***", "a/***/b", "[]-]*", "[a-", "\\",
        "[z-a]", "[a-c-e]", "[\\]]", "[^b]", "*b*", "a\\/b", "**/", "/*", "b\r\na.mov\r",
    ]
    private static let names = [
        "a", "b", "x", "a.mov", "b.mov", "keep.mov", "axb", "#x", "!y", "-", "]", "[", "space ",
        ".b", "x.", "ab",
    ]

    @Test("agrees with git")
    func agreesWithGit() throws {
        let folder = try TemporaryDirectory()
        _ = try git(["init", "-q"], in: folder.path).requireSuccess()
        var paths = Self.names
        for outer in ["a", "b", "x"] { paths += Self.names.map { "\(outer)/\($0)" } }
        for inner in ["a/b", "x/a", "b/x", "x/y.mov"] {
            paths += Self.names.map { "\(inner)/\($0)" }
        }
        var random = SeededRandom(state: 5)
        let invented = (0..<60).map { _ in Self.invented(&random) }
        for text in Self.texts + invented {
            try folder.write(Data(text.utf8), to: ".gitignore")
            let file = try IgnoreFile(text)
            try folder.write(Data(paths.joined(separator: "\0").utf8), to: "paths")
            let answer = try git(
                ["-c", "core.quotePath=false", "check-ignore", "-z", "--no-index", "--stdin"],
                in: folder.path, input: folder.file("paths"))
            #expect((answer.exitCode ?? 9) <= 1, "\(answer.errorText)")
            let theirs = Set(answer.outputText.split(separator: "\0").map(String.init))
            let ours = Set(paths.filter { file.ignores($0) })
            #expect(ours == theirs, "\(text.debugDescription)")
        }
    }

    /// One to three lines of what patterns are made of; no name with `**` in its middle, where git
    /// does otherwise than its manual says.
    private static func invented(_ random: inout SeededRandom) -> String {
        let names = ["a", "b", "x", "*", "?", "**", "[ab]", "*.mov", "a*", "*b", "[!x]", "?.mov"]
        let lines = (0...random.below(3)).map { _ in
            let parts = (0...random.below(3)).map { _ in names[random.below(names.count)] }
            let sign = random.below(4) == 0 ? "!" : ""
            let start = random.below(4) == 0 ? "/" : ""
            let end = random.below(4) == 0 ? "/" : ""
            return sign + start + parts.joined(separator: "/") + end
        }
        return lines.joined(separator: "\n")
    }

    /// Runs git without the settings of whoever runs the tests.
    private func git(
        _ arguments: [String], in folder: String, input: String = "/dev/null"
    ) throws -> Subprocess.Outcome {
        try Subprocess.run(
            "sh", ["-c", "exec git \"$@\" < \"$0\"", input] + arguments,
            environment: [
                "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
            ], directory: folder)
    }
}
