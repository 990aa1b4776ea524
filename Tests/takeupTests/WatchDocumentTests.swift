import Foundation
import TestSupport
import Testing

@testable import takeup

/// What the pages show is what the program takes.
@Suite("Pages about watched folders")
struct WatchDocumentTests {
    private static func text(_ page: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/\(page).md"), encoding: .utf8)
    }

    /// The blocks of JSON in a page that are configurations.
    private static func configurations(_ page: String) throws -> [String] {
        let blocks = try text(page).components(separatedBy: "```json\n").dropFirst()
        return try blocks.compactMap { block in
            let example = try #require(block.components(separatedBy: "```").first)
            let object = try JSONSerialization.jsonObject(with: Data(example.utf8))
            return (object as? [String: Any])?["watch"] == nil ? nil : example
        }
    }

    @Test("every example of a configuration is taken", arguments: ["WATCH", "HOOKS"])
    func configurations(page: String) throws {
        let examples = try Self.configurations(page)
        #expect(!examples.isEmpty)
        for example in examples {
            let bench = try WatchProgramBench([:])
            try Data(example.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
            let outcome = try bench.run(["doctor", "--config", "c.json", "--json"])
            let report = try #require(
                try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
            let checks = try #require(report["checks"] as? [[String: Any]])
            let refused = checks.filter { check in
                let subject = check["subject"] as? String ?? ""
                return check["status"] as? String == "fail"
                    && ["configuration", "watched folders"].contains(subject)
            }
            #expect(refused.isEmpty, "\(refused)")
            // Its folders are not there, or it has none: that is found after it was read.
            let watched = try bench.run([
                "watch", "in", "-o", "out", "--config", "c.json", "--explain", "in/a.mov",
            ])
            #expect(watched.exitCode == 0, "\(watched.errorText)")
        }
    }

    @Test("the example of a folder's settings file is taken, with a priority below 0 too")
    func folderFile() throws {
        let line = try #require(
            try Self.text("WATCH").split(separator: "\n").first { $0.hasPrefix("`{\"preset\"") })
        let example = try #require(line.split(separator: "`").first.map(String.init))
        let low = example.replacing(#""skip": "not these""#, with: #""priority": -7"#)
        #expect(low != example)
        for text in [example, low] {
            let bench = try WatchProgramBench([".takeup-folder.json": Data(text.utf8)])
            let outcome = try bench.run(["watch", "in", "-o", "out", "--explain", "in/raw.mov"])
            #expect(outcome.exitCode == 0, "\(outcome.errorText)")
            let other = try bench.run(["watch", "in", "-o", "out", "--explain", "in/b.mov"])
            #expect(other.outputText.contains("low"), "\(other.errorText)")
        }
    }
}
