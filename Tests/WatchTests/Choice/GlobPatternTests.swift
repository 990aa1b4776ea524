import TakeupWatch
import TestSupport
import Testing

@Suite("Glob pattern")
struct GlobPatternTests {
    @Test(
        "matches as written",
        arguments: [
            ("*.mov", "clip.mov", true), ("*.mov", "a/b/clip.mov", true), ("*.mov", "mov", false),
            ("/*.mov", "a/clip.mov", false), ("/*.mov", "clip.mov", true),
            ("a/*.mov", "a/b/clip.mov", false), ("a/**", "a/b/c", true), ("a/**", "a", false),
            ("**/x", "x", true), ("**/x", "a/b/x", true), ("**/x", "a/bx", false),
            ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("a/**/b", "axb", false),
            ("cl?p.mov", "clip.mov", true), ("cl?p.mov", "clp.mov", false),
            ("a/?b", "a//b", false), ("[a-c]1", "b1", true), ("[!a-c]1", "b1", false),
            ("[]x]", "]", true), ("[[:digit:]]", "7", true), ("[[:nope:]]", "7", false),
            ("[abc", "a", false), (#"\*"#, "*", true), (#"\*"#, "x", false), (#"a\"#, "a", false),
            ("é?.mov", "éü.mov", true), ("**", "a/b", true), ("a**b", "axxb", true),
            ("*", "", true), ("x/**/*.mov", "x/y/z.mov", true), ("abc", "ab", false),
            ("ab*ba", "aba", false), ("*a*b*", "xxaxxbxx", true), ("*a*b*", "xxbxxaxx", false),
        ])
    func matches(pattern: String, path: String, isMatch: Bool) throws {
        #expect(try GlobPattern(pattern).matches(path) == isMatch)
    }

    @Test("work grows evenly with a pattern's stars")
    func manyStars() throws {
        let name = String(repeating: "a", count: 255)
        let growth = try WorkGrowth(from: 30, to: 240) { count in
            let pattern = try GlobPattern(String(repeating: "a*", count: count) + "b*")
            #expect(!pattern.matches(name))
        }
        #expect(growth.factor < 24)
        #expect(growth.seconds < 1)
    }

    @Test("work grows evenly with a pattern's folders")
    func manyFolders() throws {
        let path = Array(repeating: "a", count: 200).joined(separator: "/")
        let growth = try WorkGrowth(from: 30, to: 240) { count in
            let pattern = try GlobPattern(String(repeating: "**/", count: count) + "*b*")
            #expect(!pattern.matches(path))
        }
        #expect(growth.factor < 24)
        #expect(growth.seconds < 1)
    }

    @Test(
        "work grows evenly with the length of a path",
        arguments: [("a*", "a"), ("**/", "a/")])
    func longPath(part: String, name: String) throws {
        let pattern = try GlobPattern(String(repeating: part, count: 60) + "*b*")
        let growth = WorkGrowth(from: 250, to: 2000) { count in
            #expect(!pattern.matches(String(repeating: name, count: count)))
        }
        #expect(growth.factor < 24)
        #expect(growth.seconds < 1)
    }

    @Test("refuses what is empty or too long")
    func refuses() throws {
        #expect(throws: WatchError.self) { try GlobPattern("") }
        let long = String(repeating: "a", count: GlobPattern.mostBytes)
        #expect(try GlobPattern(long).matches(long))
        #expect(throws: WatchError.self) { try GlobPattern(long + "a") }
    }
}
