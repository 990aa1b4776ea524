import Foundation
import TakeupMediaClient
import TakeupModel
import TakeupProcess
import TestSupport
import Testing

@testable import takeup

@Suite("What is not sealed")
struct SandboxDemandTests {
    private static func sandbox(landlock: Int, filter: Bool) -> Sandbox {
        var sandbox = Sandbox.available()
        (sandbox.landlockVersion, sandbox.filtersCalls) = (landlock, filter)
        return sandbox
    }

    @Test(
        "names what a hostile source could do, and is refused where all is required",
        arguments: [
            (0, true, ["Landlock", "read every file"]), (1, false, ["seccomp", "network"]),
            (0, false, ["Landlock", "seccomp"]),
        ])
    func gaps(landlock: Int, filter: Bool, words: [String]) throws {
        let sandbox = Self.sandbox(landlock: landlock, filter: filter)
        let warning = try #require(try SandboxDemand.warning(sandbox, isRequired: false))
        for word in words { #expect(warning.contains(word)) }
        let error = #expect(throws: Failure.self) {
            try SandboxDemand.warning(sandbox, isRequired: true)
        }
        #expect(error?.exitCode == .configuration && error?.code == "sandboxMissing")
        #expect(error?.message == warning)
    }

    @Test("a whole one needs no words")
    func whole() throws {
        let sandbox = Self.sandbox(landlock: 1, filter: true)
        #expect(try SandboxDemand.warning(sandbox, isRequired: true) == nil)
        #expect(sandbox.isWhole && sandbox.unconfined == [])
    }

    /// Runs the program as on a kernel without Landlock.
    private func run(
        _ folder: borrowing TemporaryDirectory, _ arguments: [String],
        environment: [String: String] = [
            "TAKEUP_HELPER_FAULTS": "1", "TAKEUP_HELPER_LANDLOCK": "0",
        ]
    ) throws -> Subprocess.Outcome {
        let places = ["--home", folder.file("home"), "--cache", folder.file("cache")]
        return try Subprocess.run(
            BuiltProduct.path(of: "takeup"), arguments + places, environment: environment)
    }

    @Test("worker, batch and watch say it once, and refuse with 78 where they must")
    func commands() throws {
        let folder = try TemporaryDirectory()
        let clip = try Clip.base(seconds: 1).path
        let inbox = folder.file("inbox")
        try FileManager.default.createDirectory(
            atPath: inbox, withIntermediateDirectories: true)
        let list = try folder.write(Data(#"[{"source": "\#(clip)"}]"#.utf8), to: "list.json")
        for arguments in [
            ["worker", "--once"], ["batch", list],
            ["watch", inbox, "--output", folder.file("out"), "--once"],
        ] {
            let told = try run(folder, arguments)
            #expect(told.exitCode == 0, "\(told.command) \(told.errorText)")
            let times = told.errorText.components(separatedBy: "exports cannot be sealed").count
            #expect(times == 2, "\(told.errorText)")
            let refused = try run(folder, arguments + ["--require-sandbox"])
            #expect(refused.exitCode == 78)
            #expect(refused.errorText.contains("Landlock"))
        }
    }

    @Test("without its second program a command says where that is looked for, and ends with 78")
    func missing() async throws {
        let bench = try TestBench()
        var configuration = HelperConfiguration.foreground
        configuration.executable = "/nowhere/takeup-media"
        try bench.write("text", to: "a.mov")
        let code = await bench.run("probe a.mov", engine: .live(configuration))
        #expect(code == .configuration)
        #expect(bench.diagnostics.text.contains("/nowhere/takeup-media"))
        #expect(bench.diagnostics.text.contains("libexec/takeup"))
    }

    @Test("commands of the foreground work in a sealed process, or refuse with 78 where they must")
    func foreground() throws {
        let folder = try TemporaryDirectory()
        let clip = try Clip.base(seconds: 1).path
        let list = try folder.write(Data(#"[{"source": "\#(clip)"}]"#.utf8), to: "list.json")
        for arguments in [
            ["export", clip, "-o", folder.file("a.mp4")], ["probe", clip], ["verify", clip],
            ["presets", "for", clip], ["batch", list, "--dry-run"],
        ] {
            let refused = try run(folder, arguments + ["--require-sandbox"])
            #expect(refused.exitCode == 78, "\(refused.command) \(refused.errorText)")
            #expect(refused.errorText.contains("Landlock"))
            #expect(!FileManager.default.fileExists(atPath: folder.file("a.mp4")))
            guard Sandbox.available().isWhole else { continue }
            let sealed = try run(folder, arguments + ["--require-sandbox"], environment: [:])
            #expect(sealed.exitCode == 0, "\(sealed.command) \(sealed.errorText)")
            try? FileManager.default.removeItem(atPath: folder.file("a.mp4"))
        }
    }
}
