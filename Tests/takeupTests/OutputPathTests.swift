import Foundation
import TakeupLanes
import TakeupModel
import Testing

@testable import TakeupModel
@testable import takeup

@Suite("Output path")
struct OutputPathTests {
    @Test(
        "names files in folders after their first source",
        arguments: [
            ("dir", "clips/a.b.mov", "mp4", "dir/a.b.mp4"), ("new/", "a.mov", "m4a", "new/a.m4a"),
            ("dir/", ".mov", "mp4", "dir/.mov.mp4"), ("dir", "a", "mp4", "dir/a.mp4"),
            ("x.MP4", "a.mov", "mp4", "x.MP4"), ("x.m4v", "a", "mp4", "x.m4v"),
            ("dir.mp4", "a.mov", "mp4", "dir.mp4/a.mp4"),
        ])
    func names(given: String, input: String, suffix: String, expected: String) throws {
        let bench = try TestBench()
        for folder in ["dir", "dir.mp4"] {
            try FileManager.default.createDirectory(
                atPath: "\(bench.folder)/\(folder)", withIntermediateDirectories: false)
        }
        let path = try OutputPath.resolve(
            given, inputs: [input], fileExtension: suffix, in: bench.context())
        #expect(path == "\(bench.folder)/\(expected)")
    }

    @Test("a name in a folder that is a source's own gets a number")
    func beside() throws {
        let bench = try TestBench()
        let sources = try ["a.mp4", "a-2.mp4"].map { try bench.write("media", to: $0) }
        try bench.write("media", to: "a-3.mp4")
        let path = try OutputPath.resolve(
            "./", inputs: sources, fileExtension: "mp4", in: bench.context())
        // What is no source is for --overwrite.
        #expect(path == "\(bench.folder)/./a-3.mp4")
    }

    @Test(
        "a folder that is named with a slash is made, and goes again when nothing comes into it",
        arguments: [
            ("new/deep/", "new", true, false), ("new/deep/", "new/deep", true, true),
            ("other/x.mp4", "other", false, false), ("new/./deep/", "new", true, false),
        ])
    func makes(given: String, folder: String, isMade: Bool, writes: Bool) async throws {
        let bench = try TestBench()
        try bench.write("media", to: "a.mov")
        let (path, seen) = ("\(bench.folder)/\(folder)", Locked(false))
        let session = ScriptedSession(result: .failure(.cancelled)) {
            seen.withLock { $0 = OutputPath.isDirectory(path) }
            if writes { _ = FileManager.default.createFile(atPath: "\(path)/a.mp4", contents: nil) }
        }
        _ = await bench.run("export a.mov -o \(given)", engine: session.engine)
        #expect(seen.withLock { $0 } == isMade)
        #expect(OutputPath.isDirectory(path) == writes)
    }

    @Test("a folder that cannot be made is an error of 73")
    func blocked() async throws {
        let bench = try TestBench()
        try bench.write("media", to: "a.mov")
        let session = ScriptedSession(result: .failure(.cancelled))
        #expect(
            await bench.run("export a.mov -o a.mov/x/", engine: session.engine) == .outputNotCreated
        )
        #expect(bench.diagnostics.text.contains("cannot make the folder"))
    }

    @Test("where one of several folders cannot be made, none stays")
    func blockedDeep() throws {
        let bench = try TestBench()
        let long = String(repeating: "x", count: 300)
        let failure = #expect(throws: Failure.self) {
            try OutputFolder(of: "\(bench.folder)/new/deep/\(long)/a.mp4")
        }
        #expect(failure?.message.hasSuffix("File name too long") == true)
        #expect(!OutputPath.isDirectory("\(bench.folder)/new"))
    }

    @Test(
        "refuses other kinds of file",
        arguments: ["out.mov", "out", "out.mp4.txt", "-", ".mp4x", "a.mkv"])
    func kinds(given: String) throws {
        let bench = try TestBench()
        let failure = #expect(throws: Failure.self) {
            try OutputPath.resolve(
                given, inputs: ["a"], fileExtension: "mp4", in: bench.context())
        }
        #expect(failure?.exitCode == .usage)
    }

    @Test(
        "never writes over a source, by whatever name",
        arguments: ["a.mp4", "hard.mp4", "soft.mp4"])
    func sources(output: String) async throws {
        let bench = try TestBench()
        let source = try bench.write("media", to: "a.mp4")
        try FileManager.default.linkItem(atPath: source, toPath: "\(bench.folder)/hard.mp4")
        try FileManager.default.createSymbolicLink(
            atPath: "\(bench.folder)/soft.mp4", withDestinationPath: "a.mp4")
        let session = ScriptedSession(result: .failure(.cancelled))
        let code = await bench.run(
            "export a.mp4 -o ./\(output) --overwrite replace", engine: session.engine)
        #expect(code == .outputNotCreated)
        #expect(try String(contentsOfFile: source, encoding: .utf8) == "media")
    }
}
