import Foundation
import TakeupLanes
import TakeupTimeline
import Testing

@testable import TakeupModel
@testable import takeup

@Suite("Export command")
struct ExportCommandTests {
    private static func report(_ output: String = "out.mp4") -> ExportReport {
        ExportReport(
            output: output, bytes: 1_234_567, duration: MediaTime(seconds: Int64(10)), frames: 300,
            sha256: "ab", seconds: 5, warnings: [ExportWarning(code: "toneMapped", message: "HDR")],
            loss: nil, poster: nil)
    }

    private static func progress(_ fraction: Double) -> ExportProgress {
        ExportProgress(phase: .encode, fraction: fraction, speed: 2, etaSeconds: 1.5)
    }

    private func objects(_ sink: RecordingSink) throws -> [[String: Any]] {
        try sink.lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("JSON tells started, progress that never falls, warnings and one finished")
    func jsonLines() async throws {
        let bench = try TestBench()
        let session = ScriptedSession(
            progress: [0.1, 0.5, 0.3, .nan, 1.7].map(Self.progress), result: .success(Self.report())
        )
        let code = await bench.run("export a.mov -o out.mp4 --json", engine: session.engine)
        #expect(code == .success)
        let objects = try objects(bench.output)
        let types = objects.compactMap { $0["type"] as? String }
        #expect(types.first == "started")
        #expect(types.suffix(2) == ["warning", "finished"])
        #expect(types.filter { $0 == "finished" }.count == 1)
        #expect(
            objects.compactMap { $0["fraction"] as? Double } == [0.1, 0.5, 0.5, 0.5, 1])
        #expect(Set(objects.compactMap { $0["job"] as? String }).count == 1)
        let last = try #require(objects.last)
        #expect(last["status"] as? String == "succeeded")
        #expect(last["bytes"] as? Int == 1_234_567)
        #expect(last["duration"] as? Double == 10)
        #expect(last["error"] is NSNull)
        #expect((last["warnings"] as? [[String: String]])?.first?["code"] == "toneMapped")
    }

    @Test("JSON says why an export failed, in one finished")
    func jsonFailure() async throws {
        let bench = try TestBench()
        let session = ScriptedSession(result: .failure(.diskFull("out.mp4")))
        let code = await bench.run("export a.mov -o out.mp4 --json", engine: session.engine)
        #expect(code == .inputOutput)
        let objects = try objects(bench.output)
        #expect(objects.compactMap { $0["type"] as? String } == ["started", "finished"])
        let error = try #require(objects.last?["error"] as? [String: String])
        #expect(error["code"] == "diskFull")
        #expect(Set(error.keys) == ["code", "stage", "message", "hint"])
        #expect(bench.diagnostics.text.contains("no space left"))
    }

    @Test("an unknown preset still ends in one finished")
    func jsonPreset() async throws {
        let bench = try TestBench()
        let code = await bench.run("export a.mov -o out.mp4 --json --preset medum")
        #expect(code == .usage)
        #expect(
            try objects(bench.output).compactMap { $0["type"] as? String }
                == ["started", "finished"])
    }

    @Test("a signal cancels, says so, and gives the exit code", arguments: [(2, 130), (15, 143)])
    func cancels(signal: Int32, exitCode: Int32) async throws {
        let bench = try TestBench()
        let context = bench.context()
        let session = ScriptedSession(result: nil) { context.interrupts.deliver(signal) }
        var scripted = context
        scripted.engine = session.engine
        let code = await Program.run(
            ["export", "a.mov", "-o", "out.mp4", "--json"], in: scripted)
        #expect(code.rawValue == exitCode)
        let last = try #require(try objects(bench.output).last)
        #expect(last["status"] as? String == "cancelled")
        #expect(bench.diagnostics.text.contains("stopping"))
        #expect(bench.left.withLock { $0 }.isEmpty)
    }

    @Test("a second signal, and one that nothing waits for, leaves at once")
    func secondSignal() {
        let left = Box()
        let interrupts = Interrupts { code in left.codes.withLock { $0.append(code) } }
        interrupts.setStop { _ in }
        interrupts.deliver(2)
        #expect(left.codes.withLock { $0 }.isEmpty)
        interrupts.deliver(2)
        interrupts.setStop(nil)
        interrupts.deliver(15)
        #expect(left.codes.withLock { $0 } == [130, 143])
    }

    @Test("a dry run prints the plan and its reasons", arguments: [true, false])
    func dryRun(isJSON: Bool) async throws {
        let bench = try TestBench()
        let session = ScriptedSession(result: .failure(.cancelled))
        let flag = isJSON ? " --json" : ""
        let code = await bench.run("export a.mov --dry-run\(flag)", engine: session.engine)
        #expect(code == .success)
        if isJSON {
            let plan = try #require(try objects(bench.output).first)
            #expect(plan["type"] as? String == "plan")
            #expect((plan["decisions"] as? [[String: String]])?.count == 2)
            let output = try #require(plan["output"] as? [String: Any])
            #expect(output["duration"] as? Double == 10 && output["path"] is NSNull)
            #expect(output["expectedBytesAre"] as? String == "measured")
            #expect(plan["tracks"] is [Any] && plan["dropped"] is [Any] && plan["losses"] is [Any])
        } else {
            let expected = """
                video     copy h264: it meets every limit
                audio 2   drop\\n: not decodable
                duration  0:10.000
                bytes     1.50 kB, as measured
                warning: audio 2 is left out

                """
            #expect(bench.output.text == expected)
        }
    }

    @Test("a person gets warnings, one summary line, and nothing when quiet")
    func summary() async throws {
        let bench = try TestBench()
        try bench.write(String(repeating: "x", count: 2_469_134), to: "a.mov")
        let session = ScriptedSession(result: .success(Self.report("a\u{1B}[2J.mp4")))
        #expect(await bench.run("export a.mov -o o.mp4", engine: session.engine) == .success)
        #expect(
            bench.output.text == "a\\u{1b}[2J.mp4: 0:10.000, 1.23 MB (50 % of the source), "
                + "took 5.0 s (2.0x), 1 warning\n")
        #expect(bench.diagnostics.text == "takeup: warning: HDR\n")
        let quiet = try TestBench()
        #expect(await quiet.run("export a.mov -o o.mp4 -q", engine: session.engine) == .success)
        #expect(quiet.output.text.isEmpty && quiet.diagnostics.text.isEmpty)
    }

    @Test(
        "a preset that a variable or the configuration names and that is none is their mistake",
        arguments: ["export a.mov -o x.mp4", "submit a.mov", "batch a.mov"])
    func presetOfEnvironment(line: String) async throws {
        let bench = try TestBench()
        try bench.write("media", to: "a.mov")
        let words = line.split(separator: " ").map(String.init)
        let context = bench.context(environment: ["TAKEUP_PRESET": "hihgest"])
        #expect(await Program.run(words, in: context) == .configuration)
        #expect(
            bench.diagnostics.text.contains(
                "error: TAKEUP_PRESET: there is no preset 'hihgest'\n  did you mean 'highest'?"))
        #expect(await Program.run(words + ["--preset", "hihgest"], in: context) == .usage)
    }

    @Test(
        "a folder as INPUT is named one, whatever looks into it",
        arguments: [
            "export . -o x.mp4", "probe .", "verify .", "presets for .",
        ])
    func folder(line: String) async throws {
        let bench = try TestBench()
        #expect(await bench.run(line) == .notMedia)
        #expect(
            bench.diagnostics.text.contains(
                "is a folder, not a media file\n  export the files in it"))
    }

    @Test("a name without a suffix is refused with how a folder's ends")
    func nameOfFolder() async throws {
        let bench = try TestBench()
        try bench.write("media", to: "a.mov")
        #expect(await bench.run("export a.mov -o new") == .usage)
        #expect(bench.diagnostics.text.contains("that of a folder ends in /"))
    }
}
