import Foundation
@testable import TakeupIngest
import TestSupport
import Testing

@testable import takeup

/// What goes wrong around single files, and must not reach others.
@Suite("Mishaps of watched folders")
struct WatchMishapTests {
    private func config(_ bench: WatchProgramBench, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
    }

    @Test(
        "an ignore file that cannot be read stops its own folder alone, and finished jobs there go on"
    )
    func ignoreFile() throws {
        let bench = try WatchProgramBench(["a.mov": try Clip.base(seconds: 1).bytes()])
        for name in ["in2", "in/.takeupignore"] {
            try FileManager.default.createDirectory(
                atPath: bench.file(name), withIntermediateDirectories: true)
        }
        let clip = try Clip.base(seconds: 2).bytes()
        try clip.write(to: URL(fileURLWithPath: bench.file("in2/b.mov")))
        try config(
            bench,
            #"{"watch": {"stable": "0.2s", "folders": [{"path": "in", "output": "o1"}, {"path": "in2", "output": "o2"}]}}"#
        )
        var daemon = try bench.start(["watch", "--config", "c.json"])
        let isDone = daemon.waitForOutput(containing: "b.mov is done")
        let isTold = daemon.waitForOutput(containing: ".takeupignore cannot be used")
        try FileManager.default.removeItem(atPath: bench.file("in/.takeupignore"))
        let isHealed = daemon.waitForOutput(containing: "a.mov is done: \(bench.file("o1/a.mp4"))")
        daemon.signal(SIGTERM)
        let ended = daemon.wait()
        #expect(isDone && isTold && isHealed, "\(ended.errorText)")
        #expect(bench.files("o1") == ["a.mp4"] && bench.files("o2") == ["b.mp4"])
    }

    @Test("a folder's settings file that cannot be used is told, though all its files are done")
    func folderFile() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["sub/a.mov": clip])
        #expect(try bench.watch().exitCode == 0)
        try FileManager.default.createDirectory(
            atPath: bench.file("in/empty"), withIntermediateDirectories: true)
        for (folder, text, words) in [
            ("sub", "", "is not a folder's settings file"),
            ("sub", "[]", "is not a folder's settings file"),
            (
                "sub", #"{"preset": "mediun"}"#,
                "cannot be used: there is no preset 'mediun'; did you mean 'medium'?"
            ),
            (
                "empty", #"{"prest": "low"}"#,
                "cannot be used: it has an unknown key 'prest'; did you mean 'preset'?"
            ),
            (
                "", #"{"after": "mvoe"}"#,
                "cannot be used: after cannot be 'mvoe'; did you mean 'move'?"
            ),
            (
                "", #"{"rules": [{"priority": -5000}]}"#,
                "cannot be used: rule 1, “priority”: it is not a number from"
            ),
        ] {
            try bench.put("\(folder)/.takeup-folder.json", Data(text.utf8))
            let outcome = try bench.watch()
            #expect(outcome.exitCode == 3 && outcome.errorText.contains(words))
            #expect(!outcome.errorText.contains("unreadable("), "\(outcome.errorText)")
            try FileManager.default.removeItem(
                atPath: bench.file("in/\(folder)/.takeup-folder.json"))
        }
        #expect(try bench.watch().exitCode == 0)
    }

    @Test("a folder's settings file that cannot be used is told once until it changes")
    func folderFileOnce() throws {
        let bench = try WatchProgramBench([
            "sub/.takeup-folder.json": Data(#"{"skip": 1}"#.utf8)
        ])
        var daemon = try bench.start([
            "watch", "in", "-o", "out", "--stable", "0.2s", "--scan", "0.1s",
        ])
        let isTold = daemon.waitForOutput(containing: "cannot be used")
        try bench.put("a.mov", try Clip.base(seconds: 1).bytes())
        let isDone = daemon.waitForOutput(containing: "a.mov is done")
        try bench.put("sub/.takeup-folder.json", Data(#"{"prest": "low"}"#.utf8))
        let isToldAgain = daemon.waitForOutput(containing: "'prest'")
        daemon.signal(SIGTERM)
        let text = daemon.wait().errorText
        #expect(isTold && isDone && isToldAgain, "\(text)")
        // A third for the moment in which the file is empty.
        #expect((2...3).contains(text.components(separatedBy: "cannot be used").count - 1))
    }

    @Test("what is missing is not waited for by --once, and counts as a failure")
    func missing() throws {
        let bench = try WatchProgramBench(["a.mov": try Clip.base(seconds: 1).bytes()])
        try config(
            bench,
            #"{"watch": {"stable": "0.2s", "folders": [{"path": "in", "output": "out"}, {"path": "none", "output": "o2"}]}}"#
        )
        #expect(try bench.run(["watch", "--config", "c.json", "--once"]).exitCode == 3)
        #expect(bench.files("out") == ["a.mp4"])
        let words = ["watch", "in", "-o", "/proc/none", "--stable", "0.2s", "--once"]
        let refused = try bench.run(words + ["--after-failure", "move"])
        #expect(
            refused.exitCode == 3
                && refused.errorText.contains("it cannot be made: No such file or directory"))
        #expect(bench.files("in") == ["a.mov"])
        let file = try bench.run(["watch", "in", "-o", "in/a.mov", "--once"])
        #expect(file.exitCode == 64 && file.errorText.contains("in/a.mov is no folder"))
        let twice = try bench.run(["watch", "in", "in/", "-o", "out", "--once"])
        #expect(twice.exitCode == 78 && twice.errorText.contains("in is to be watched twice"))
        try bench.put("../i2/b.mov", try Clip.base(seconds: 1).bytes())
        try config(
            bench,
            #"{"watch": {"stable": "0.2s", "folders": [{"path": "in", "output": "o3"}, {"path": "i2", "output": "/proc/none"}]}}"#
        )
        #expect(try bench.run(["watch", "--config", "c.json", "--once"]).exitCode == 3)
        #expect(bench.files("o3") == ["a.mp4"])
        try config(
            bench,
            #"{"watch": {"stable": "0.2s", "folders": [{"path": "in", "output": "out"}, {"path": "none", "output": "o2"}]}}"#
        )
        let doctor = try bench.run(["doctor", "--config", "c.json"])
        #expect(doctor.outputText.contains("none is not there"))
    }

    @Test("what was moved is never taken again, whichever settings moved it, and a failure is told")
    func aside() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench([
            "sub/a.mov": clip, "bad.mov": clip.prefix(900),
            "sub/.takeup-folder.json": Data(#"{"after": "move", "preset": "640x480"}"#.utf8),
        ])
        let first = try bench.watch(["--after-failure", "move"])
        #expect(first.exitCode == 3, "\(first.errorText)")
        #expect(bench.files("out") == ["sub/a.mp4"])
        for _ in 0..<2 {
            let later = try bench.watch(["--preset", "low"])
            #expect(later.exitCode == 0, "\(first.errorText) \(later.errorText)")
        }
        #expect(bench.files("out") == ["sub/a.mp4"])
        #expect(bench.files("in").contains("done/sub/a.mov"))
        #expect(try bench.jobCount() == 2)
        // What comes back from there is tried again, and fails again.
        try FileManager.default.moveItem(
            atPath: bench.file("in/failed/bad.mov"), toPath: bench.file("in/bad.mov"))
        #expect(try bench.watch(["--after-failure", "move"]).exitCode == 3)
        #expect(try bench.jobCount() == 3)
    }

    @Test(
        "what has failed is not set aside while its writer may go on",
        arguments: [
            (0.0, true), (29.9, true), (30, false), (1e6, false), (-1, false), (-1e6, false),
        ])
    func mayGoOn(ageSeconds: Double, stays: Bool) {
        #expect(WatchedFolder.mayGoOn(ageSeconds: ageSeconds, stableSeconds: 10) == stays)
    }

    @Test("a source that comes back goes the way that it went before")
    func comesBack() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a.mov": clip])
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        try bench.put("a.mov", clip)
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        try FileManager.default.moveItem(
            atPath: bench.file("in/done/a-1.mov"), toPath: bench.file("in/b.mov"))
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        #expect(bench.files("in") == ["done/a.mov", "done/b.mov"])
        #expect(bench.files("out") == ["a.mp4"])
        #expect(try bench.jobCount() == 1)
    }

    @Test(
        "the same content that is sent again under another name gets an output",
        arguments: ["move", "delete"])
    func sentAgain(after: String) throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a.mov": clip])
        #expect(try bench.watch(["--after", after]).exitCode == 0)
        try bench.put("b.mov", clip)
        #expect(try bench.watch(["--after", after]).exitCode == 0)
        #expect(bench.files("in") == (after == "move" ? ["done/a.mov", "done/b.mov"] : []))
        #expect(bench.files("out") == ["a.mp4", "b.mp4"])
        #expect(try bench.jobCount() == 2)
    }

    @Test("a source that was removed and comes back is looked at as a whole, and goes again")
    func comesBackToGo() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a.mov": clip])
        for _ in 0..<2 {
            try bench.put("a.mov", clip)
            #expect(try bench.watch(["--after", "delete"]).exitCode == 0)
            #expect(bench.files("in") == [] && bench.files("out") == ["a.mp4"])
        }
        #expect(try bench.watch(["--after", "delete"]).exitCode == 0)
        let gone = try bench.run(["watch", "--reprocess", "in/a.mov"])
        #expect(gone.exitCode == 66 && gone.errorText.contains("does not exist any more"))
    }

    @Test("a source that has become a link before its job's end is no trouble for others")
    func link() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a.mov": clip])
        var daemon = try bench.start([
            "watch", "in", "-o", "out", "--stable", "0.2s", "--hours", "00:00-24:00",
        ])
        _ = daemon.waitForOutput(containing: "queued as")
        try FileManager.default.removeItem(atPath: bench.file("in/a.mov"))
        try FileManager.default.createSymbolicLink(
            atPath: bench.file("in/a.mov"), withDestinationPath: "/etc/passwd")
        try bench.put("b.mov", try Clip.base(seconds: 2).bytes())
        let isDone = daemon.waitForOutput(containing: "b.mov is done")
        daemon.signal(SIGTERM)
        let ended = daemon.wait()
        #expect(isDone && ended.exitCode == 143)
        let once = try bench.watch()
        #expect(once.exitCode == 0, "\(once.errorText)")
    }
}
