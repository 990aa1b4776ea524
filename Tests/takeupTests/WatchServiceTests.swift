import Foundation
import TestSupport
import Testing

@testable import takeup

/// What a service finds out before it begins, and how its log reads in a journal.
@Suite("Watching as a service")
struct WatchServiceTests {
    private func config(_ bench: WatchProgramBench, _ watch: String) throws {
        let text = #"{"watch": {"stable": "0.2s", \#(watch)}}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
    }

    @Test(
        "a hook that could tell nobody is refused at the start, and told by doctor",
        arguments: [
            (#"{"command": ["./none"]}"#, "cannot be run: No such file or directory"),
            (#"{"command": ["./in"]}"#, "is a folder"),
            (#"{"command": ["takeup-has-no-such-program"]}"#, "there is no program"),
            (#"{"url": "https://example.com/", "secretFile": "none"}"#, "No such file"),
        ])
    func hooks(hook: String, reason: String) throws {
        let bench = try WatchProgramBench([:])
        try config(bench, #""folders": [{"path": "in", "output": "out"}], "hooks": [\#(hook)]"#)
        let watched = try bench.run(["watch", "--config", "c.json", "--once"])
        #expect(
            watched.exitCode == 78 && watched.errorText.contains(reason), "\(watched.errorText)")
        let told = try bench.run(["doctor", "--config", "c.json"])
        #expect(told.exitCode == 78 && told.outputText.contains(reason), "\(told.outputText)")
    }

    @Test("a rule's preset that is not there is told at the start and by doctor")
    func rules() throws {
        let bench = try WatchProgramBench([:])
        try config(
            bench,
            #""folders": [{"path": "in", "output": "out", "rules": [{"preset": "./none.json"}]}]"#)
        let watched = try bench.run(["watch", "--config", "c.json", "--once"])
        #expect(watched.exitCode == 78 && watched.errorText.contains("none.json"))
        let told = try bench.run(["doctor", "--config", "c.json"])
        #expect(told.exitCode == 78 && told.outputText.contains("none.json"))
    }

    @Test("lines in a journal carry their priorities, and name files with their sizes")
    func journal() throws {
        let bench = try WatchProgramBench([
            "a.mov": try Clip.base(seconds: 1).bytes(), "bad.mov": Data(repeating: 7, count: 1234),
        ])
        let program = try BuiltProduct.path(of: "takeup")
        let script = """
            JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/2) \
            exec '\(program)' watch in -o out --stable 0.2s --once
            """
        let outcome = try Subprocess(
            "/bin/sh", ["-c", script],
            environment: ["TAKEUP_HOME": bench.file("home"), "TAKEUP_CACHE": bench.file("cache")],
            directory: bench.file(".")
        ).wait()
        let lines = outcome.errorText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("<") && $0.dropFirst(2).first == ">" })
        let handed = lines.first { $0.contains("bad.mov is whole and queued as") }
        #expect(handed?.hasPrefix("<6>") == true && handed?.hasSuffix(" bytes=1234") == true)
        #expect(lines.contains { $0.hasPrefix("<4>") && $0.contains("bad.mov has failed") })
        #expect(lines.contains { $0.hasPrefix("<6>") && $0.contains("a.mov is done: ") })
        let started = lines.filter { $0.contains("started") && $0.contains("source=") }
        #expect(started.count == 2, "\(outcome.errorText)")
        let plain = try bench.watch()
        #expect(!plain.errorText.contains("<6>"))
    }

    @Test("what was moved is explained with what it was and what became of it")
    func moved() throws {
        let bench = try WatchProgramBench([
            "s/a.mov": try Clip.base(seconds: 1).bytes(), "b.mov": Data(repeating: 7, count: 99),
        ])
        #expect(try bench.watch(["--after", "move", "--after-failure", "move"]).exitCode == 3)
        let done = try bench.run(["watch", "--explain", "in/done/s/a.mov"])
        #expect(done.outputText.contains("s/a.mov, moved here once it was done"))
        #expect(done.outputText.contains("out/s/a.mp4"), "\(done.outputText)")
        #expect(!done.outputText.contains("looked at anew"))
        let failed = try bench.run(["watch", "--explain", "in/failed/b.mov"])
        #expect(failed.outputText.contains("b.mov, moved here as it had failed"))
        #expect(failed.outputText.contains("failed: "), "\(failed.outputText)")
    }
}
