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

    @Test("a hostile pattern takes no longer than its length times the name's")
    func hostile() throws {
        let name = String(repeating: "a", count: 255)
        let path = Array(repeating: "a", count: 200).joined(separator: "/")
        let growth = try workGrowth(from: 15, to: 120) { count in
            let stars = try GlobPattern(String(repeating: "a*", count: count) + "b*")
            let folders = try GlobPattern(String(repeating: "**/", count: count) + "*b*")
            #expect(!stars.matches(name))
            #expect(!folders.matches(path))
        }
        #expect(growth < 24)
    }

    @Test("refuses what is empty or too long")
    func refuses() throws {
        #expect(throws: WatchError.self) { try GlobPattern("") }
        let long = String(repeating: "a", count: GlobPattern.mostBytes)
        #expect(try GlobPattern(long).matches(long))
        #expect(throws: WatchError.self) { try GlobPattern(long + "a") }
    }
}
