import Foundation
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupIntake

@Suite("Batch inputs")
struct BatchInputTests {
    /// A folder with media, lists and folders in it.
    private func filled() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory()
        let files = [
            "a.mov": "", "b.mov": "", "c d.mkv": "", "x/e.mov": "", "x/y/f.mov": "",
            "z/e.mov": "", "x/.h/g.mov": "", "[1].mov": "",
            "list.json": #"[{"source": "a.mov", "output": "own.mp4"}, {"source": "n.mov"}]"#,
            "list.csv": "source;preset\nb.mov;low\n",
            "list.txt":
                "# clips\r\na.mov\r\n\n  # more\nx/e.mov\na.mov\nhttps://example.com/q.mov\n",
        ]
        for (name, text) in files {
            let url = URL(filePath: folder.file(name))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        return folder
    }

    private func jobs(
        _ inputs: [BatchInput], in folder: borrowing TemporaryDirectory, output: String? = nil
    ) throws(BatchListError) -> [JobSpec] {
        var options = BatchOptions()
        options.outputFolder = output
        return try BatchList(inputs, options: options, from: folder.path).jobs
    }

    private func names(
        _ inputs: [String], in folder: borrowing TemporaryDirectory
    ) throws(BatchListError) -> [String] {
        try jobs(inputs.map(BatchInput.place), in: folder).map { spec in
            let source = spec.request.sources[0]
            return source.hasPrefix(folder.path)
                ? String(source.dropFirst(folder.path.count + 1)) : source
        }
    }

    @Test(
        "files, folders, patterns and lists mix, in the order in which they are named",
        arguments: [
            (["a.mov", "b.mov"], ["a.mov", "b.mov"]),
            (["x", "z/"], ["x/e.mov", "x/y/f.mov", "z/e.mov"]),
            (["*.mov"], ["[1].mov", "a.mov", "b.mov"]),
            (["[ab].mov", "?.mov"], ["a.mov", "b.mov"]),
            (["[1].mov"], ["[1].mov"]), (["c*"], ["c d.mkv"]), (["c\u{20}d.mkv"], ["c d.mkv"]),
            (["{b,a}.mov"], ["a.mov", "b.mov"]), (["*/e.mov"], ["x/e.mov", "z/e.mov"]),
            (["**/*.mov"], ["[1].mov", "a.mov", "b.mov", "x/e.mov", "x/y/f.mov", "z/e.mov"]),
            (["x/**"], ["x/e.mov", "x/y/f.mov"]), (["[xz]"], ["x/e.mov", "x/y/f.mov", "z/e.mov"]),
            (["list.txt"], ["a.mov", "x/e.mov", "https://example.com/q.mov"]),
            (["list.csv", "a.mov"], ["b.mov", "a.mov"]),
            (
                ["https://example.com/q.mov", "list.txt"],
                ["https://example.com/q.mov", "a.mov", "x/e.mov"]
            ),
            (["list.json", "list.json", "b.mov"], ["a.mov", "n.mov", "b.mov"]),
        ] as [([String], [String])])
    func mixes(inputs: [String], expected: [String]) throws {
        let folder = try filled()
        #expect(try names(inputs, in: folder) == expected)
    }

    @Test("what is named twice is one job; a list's words on it hold, wherever it stands")
    func repeats() throws {
        let folder = try filled()
        #expect(try names(["a.mov", "./a.mov", "a.mov"], in: folder) == ["a.mov"])
        #expect(try names(["x/e.mov", "x", "x/"], in: folder) == ["x/e.mov", "x/y/f.mov"])
        for order in [["a.mov", "list.json"], ["list.json", "a.mov"]] {
            let jobs = try jobs(order.map(BatchInput.place), in: folder, output: "/out")
            #expect(jobs.map(\.request.output) == ["/out/own.mp4", "/out/n.mp4"])
        }
    }

    @Test("outputs of several inputs differ, and a folder's tree is mirrored")
    func outputs() throws {
        let folder = try filled()
        let jobs = try jobs(
            [.place("a.mov"), .place("x"), .place("z")], in: folder, output: "/out")
        #expect(
            jobs.map(\.request.output)
                == ["/out/a.mp4", "/out/e.mov.mp4", "/out/y/f.mp4", "/out/e.mov-2.mp4"])
    }

    @Test("a pattern without a match, and a file that is not there, are named")
    func missing() throws {
        let folder = try filled()
        let path = folder.path
        #expect(throws: BatchListError.nothingMatches("*.webm", skipped: [])) {
            try BatchList([.place("a.mov"), .place("*.webm")], options: BatchOptions(), from: path)
        }
        #expect(throws: BatchListError.missing("\(path)/none.mov")) {
            try BatchList([.place("none.mov")], options: BatchOptions(), from: path)
        }
    }

    @Test("a pattern's matches that are not UTF-8 are told")
    func encoding() throws {
        let folder = try TemporaryDirectory()
        let name = Array(folder.file("caf").utf8) + [0xE9] + Array(".mov".utf8) + [0]
        let descriptor = name.withUnsafeBytes { bytes in
            open(bytes.bindMemory(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
        }
        #expect(descriptor >= 0)
        close(descriptor)
        let path = folder.path
        #expect(
            throws: BatchListError.nothingMatches(
                "*.mov",
                skipped: [.init(path: "\(path)/caf\u{FFFD}.mov", reason: "the name is not UTF-8")])
        ) {
            try BatchList([.place("*.mov")], options: BatchOptions(), from: path)
        }
    }

    @Test("a list with faults is named, whatever stands beside it")
    func faults() throws {
        let folder = try filled()
        try Data("[{}]".utf8).write(to: URL(filePath: folder.file("bad.json")))
        let path = folder.path
        for order in [["bad.json", "a.mov"], ["a.mov", "bad.json"]] {
            let error = #expect(throws: BatchListError.self) {
                try BatchList(order.map(BatchInput.place), options: BatchOptions(), from: path)
            }
            guard case .invalid(let name, let faults, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(name == "\(path)/bad.json")
            #expect(
                faults.map(\.description).first?.hasPrefix("line 1, source: is missing") == true)
        }
    }

    @Test(
        "bytes without a name are read as what they begin like",
        arguments: [
            ("a.mov\nb.mov\n", ["a.mov", "b.mov"]), ("", []), ("# nothing\n\n", []),
            (#" [{"source": "a.mov"}]"#, ["a.mov"]), ("[]", []),
            ("{\"source\": \"a.mov\"}\n{\"source\": \"b.mov\"}\n", ["a.mov", "b.mov"]),
            (#"{"defaults": {"preset": "low"}, "jobs": [{"source": "a.mov"}]}"#, ["a.mov"]),
            (#"{"jobs": [{"source": "a.mov"}]}"#, ["a.mov"]),
            ("[2024] film.mov\n{b}.mov\n", ["[2024] film.mov", "{b}.mov"]),
            ("\u{FEFF}a.mov", ["a.mov"]),
        ] as [(String, [String])])
    func guesses(text: String, expected: [String]) throws {
        let list = try BatchList(
            [.text(Array(text.utf8), endsWithNull: false)], options: BatchOptions(), from: "/in")
        #expect(list.jobs.map { $0.request.sources[0].dropFirst(4) } == expected.map { $0[...] })
    }

    @Test("a name that is not UTF-8 between zero bytes is named, and the others are read")
    func nullEncoding() {
        let bytes = Array("a.mov".utf8) + [0, 0x63, 0xE9, 0x2E, 0] + Array("b.mov".utf8)
        #expect(
            Lists.faults(bytes, as: .nullPaths)
                == ["the name is not UTF-8: c\u{FFFD}.; rename the file"])
    }

    @Test("with zero bytes between them names may hold anything")
    func null() throws {
        let text = "# a.mov\0b\nc.mov\0"
        let list = try BatchList(
            [.text(Array(text.utf8), endsWithNull: true)], options: BatchOptions(), from: "/in")
        #expect(list.jobs.map(\.request.sources) == [["/in/# a.mov"], ["/in/b\nc.mov"]])
    }

    @Test(
        "a CSV list may be separated by what its header is separated by",
        arguments: [
            "source;preset;metadata.title\na,b.mov;low;x\n",
            "source\tpreset\tmetadata.title\na,b.mov\tlow\tx\n",
            "\"source\";\"preset\";\"metadata.title\"\n\"a,b.mov\";\"low\";\"x\"\n",
            "source,preset,metadata.title\n\"a,b.mov\",low,x\n",
        ])
    func separators(text: String) throws {
        let job = try #require(try Lists.read(text, as: .csv).first)
        #expect(job.request.sources == ["/lists/a,b.mov"])
        #expect((job.request.preset.name, job.request.settings.metadata["title"]) == ("low", "x"))
    }

    @Test("a single column keeps separators in its paths")
    func oneColumn() throws {
        #expect(
            try Lists.read("source\na;b\tc.mov\n", as: .csv)[0].request.sources == [
                "/lists/a;b\tc.mov"
            ])
    }

    @Test(
        "braces stand for what is between their commas",
        arguments: [
            ("a{b,c}d", ["abd", "acd"]), ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
            ("{a,{b,c}}", ["a", "b", "c"]), ("{a}", ["{a}"]), ("a,b}", ["a,b}"]),
            ("{,x}", ["", "x"]),
        ] as [(String, [String])])
    func braces(text: String, expected: [String]) {
        #expect(GlobPattern.alternatives(text).map(Set.init) == Set(expected))
    }

    @Test("braces that stand for too many patterns are refused, not cut")
    func manyBraces() throws {
        let folder = try filled()
        let choices = String(repeating: "x,", count: 999)
        #expect(GlobPattern.alternatives("{\(choices)a}")?.count == 1000)
        #expect(GlobPattern.alternatives("{\(choices)a,b}") == nil)
        let text = "a.mov" + String(repeating: "{,x}", count: 10)
        let error = #expect(throws: BatchListError.self) { try names([text], in: folder) }
        guard case .unfit(text, let reason, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == "its braces stand for more than 1000 patterns")
    }
}
