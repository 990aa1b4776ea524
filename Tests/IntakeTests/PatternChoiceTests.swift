import Foundation
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupIntake

@Suite("What patterns take")
struct PatternChoiceTests {
    private func filled() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        let files = [
            "a.mov", "a.srt", "a.jpg", "a.json", "notes.txt", "b.mov.part", "b.part.mov",
            "raw.h264", "plain", ".h.mov", "out/a.mp4", "out/sub/b.mp4", "sub/c.mov",
            "@eaDir/d.mov", "_UNPACK_x/e.mov",
        ]
        for name in files {
            let url = URL(filePath: folder.file(name))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(name.utf8).write(to: url)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("gone.mov"), withDestinationPath: folder.file("nothing"))
        try #require(mkfifo(folder.file("pipe.mov"), 0o600) == 0)
        return folder
    }

    private func list(
        _ pattern: String, in folder: borrowing TemporaryDirectory, output: String? = "out"
    ) throws -> (sources: [String], skipped: [String]) {
        var options = BatchOptions()
        options.outputFolder = output.map { folder.file($0) }
        let list = try BatchList([.place(pattern)], options: options, from: folder.path)
        let start = folder.path.count + 1
        return (
            list.jobs.map { String($0.request.sources[0].dropFirst(start)) },
            list.skipped.map { "\($0.path.dropFirst(start)): \($0.reason)" }
        )
    }

    @Test("a match is what a folder would take; the rest is told")
    func media() throws {
        let folder = try filled()
        let system = "a folder that is hidden, a system's or being filled"
        let unfinished = "an unfinished copy by its name"
        let told = [
            "@eaDir: \(system)", "_UNPACK_x: \(system)", "a.jpg: no media",
            "a.json: a list, which has to be named itself", "a.srt: no media",
            "b.mov.part: \(unfinished)", "b.part.mov: \(unfinished)",
            "gone.mov: there is no such file", "notes.txt: a list, which has to be named itself",
            "out: the folder of the outputs", "pipe.mov: it is not a regular file",
            "plain: not a media suffix", "raw.h264: not a media suffix",
        ]
        for pattern in ["**", "*"] {
            let (sources, skipped) = try list(pattern, in: folder)
            #expect(sources == ["a.mov", "sub/c.mov"])
            #expect(skipped == told)
        }
    }

    @Test(
        "what a pattern spells out is taken",
        arguments: [
            ("*.h264", "out", ["raw.h264"]), ("{x,r*}.{mov,h264}", "out", ["raw.h264"]),
            (".*.mov", "out", [".h.mov"]), ("out/a.mp?", "out", ["out/a.mp4"]),
            ("_UNPACK_*/*", "out", ["_UNPACK_x/e.mov"]), ("a.mo*", ".", ["a.mov"]),
            ("*/*.mp4", "none", ["out/a.mp4"]), ("su*/*", "sub", []),
        ] as [(String, String, [String])])
    func spelled(pattern: String, output: String, expected: [String]) throws {
        let folder = try filled()
        guard !expected.isEmpty else {
            #expect(throws: BatchListError.self) { try list(pattern, in: folder, output: output) }
            return
        }
        #expect(try list(pattern, in: folder, output: output).sources == expected)
    }

    @Test(
        "a pattern whose matches are all passed over matches nothing",
        arguments: ["*.json", "g*"])
    func nothing(pattern: String) throws {
        let folder = try filled()
        let error = #expect(throws: BatchListError.self) { try list(pattern, in: folder) }
        guard case .nothingMatches(pattern, let skipped) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(skipped.count == 1)
    }

    @Test("a pattern that would take its own outputs is refused, whether they are there or not")
    func ownOutputs() throws {
        let folder = try filled()
        for (pattern, output) in [
            ("**", "."), ("*", "."), ("sub/*.m*", "sub"), ("a.*", "."),
            ("{a,b}*", "."), ("out/**", "out"), ("./**/sub/*", "sub"),
        ] {
            let error = #expect(throws: BatchListError.self, "\(pattern) to \(output)") {
                try list(pattern, in: folder, output: output)
            }
            guard case .unfit(pattern, _, _) = error else {
                Issue.record("\(pattern): \(String(describing: error))")
                continue
            }
        }
        for (pattern, output) in [
            ("*.mov", "."), ("**", "out"), ("**", "new"), ("**/*.mov", "."), ("s*/*", "sub/new"),
            ("sub/*", "."), ("[a].mov", "."),
        ] {
            #expect(throws: Never.self, "\(pattern) to \(output)") {
                try list(pattern, in: folder, output: output)
            }
        }
    }
}
