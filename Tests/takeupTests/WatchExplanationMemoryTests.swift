import Foundation
@testable import TakeupIngest
import TakeupWatch
import TestSupport
import Testing

@testable import takeup

@Suite("Explanation by what a daemon has noted")
struct WatchExplanationMemoryTests {
    /// The answers by their questions; those that keep the file begin with a mark.
    private func explain(
        _ bench: WatchProgramBench, _ words: String...
    ) throws -> [String: String] {
        try explain(bench, words)
    }

    private func explain(
        _ bench: WatchProgramBench, _ words: [String]
    ) throws -> [String: String] {
        let outcome = try bench.run(["watch", "--json", "--explain"] + words)
        #expect(outcome.exitCode == 0, "\(outcome.errorText)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        let points = try #require(report["points"] as? [[String: Any]])
        let pairs = points.map { point in
            let mark = point["obstacle"] as? Bool == true ? "! " : ""
            return (point["question"] as? String ?? "", mark + (point["answer"] as? String ?? ""))
        }
        return Dictionary(pairs) { "\($0), \($1)" }
    }

    @Test("a folder that is not named is explained by the settings that it was watched with")
    func noted() throws {
        let bench = try WatchProgramBench([".hidden.mov": Data("x".utf8)])
        let rules = #"{"watch": {"rules": [{"glob": "no.*", "skip": "not this"}]}}"#
        try Data(rules.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
        let words = ["--config", "c.json", "--preset", "low", "--exclude", "ex.*"]
        #expect(try bench.watch(words + ["--after", "move", "--done", "gone"]).exitCode == 0)
        try bench.put("a.mov", Data("x".utf8))
        let points = try explain(bench, "in/a.mov")
        #expect(points["name"] == "taken" && points["preset"] == "low")
        let output = WatchedPath.resolved(bench.file("out")) + "/a.mp4"
        #expect(points["output"] == "\(output), which is not there")
        try bench.put("empty.mov", Data())
        #expect(try explain(bench, "in/empty.mov")["size"]?.hasPrefix("! it is empty, and") == true)
        #expect(points["stands still"]?.contains("0.2 seconds") == true)
        #expect(points["settings"]?.contains("was watched with last") == true)
        #expect(try explain(bench, "in/a.mov", "--preset", "medium")["preset"] == "medium")
        let folder = WatchedPath.resolved(bench.file("in"))
        for (name, complaint) in [
            ("a.png", "not a media suffix"), (".hidden.mov", "hidden"), ("ex.mov", "excluded"),
        ] {
            let said = try explain(bench, "\(folder)/\(name)")["name"] ?? ""
            #expect(said.hasPrefix("! ") && said.contains(complaint), "\(said)")
        }
        #expect(try explain(bench, "in/no.mov")["skipped"] == "! not this")
        let other = #"{"watch": {"folders": [{"path": "in", "preset": "stories"}]}}"#
        try Data(other.utf8).write(to: URL(fileURLWithPath: bench.file("d.json")))
        #expect(try explain(bench, "in/a.mov", "--config", "d.json")["preset"] == "stories")
        // A folder that is named is explained by what is named with it.
        #expect(try explain(bench, "in/a.mov", "in")["preset"] == "medium")
    }

    @Test("a path means the same however it is spelt, and is asked for again under any spelling")
    func spellings() throws {
        let bench = try WatchProgramBench(["sub/a.mov": try Clip.base(seconds: 1).bytes()])
        #expect(try bench.watch().exitCode == 0)
        try FileManager.default.createSymbolicLink(
            atPath: bench.file("link"), withDestinationPath: "in/sub")
        for path in ["./in/sub/a.mov", "in//sub/./a.mov", "in/sub/../sub/a.mov", "link/a.mov"] {
            #expect(try explain(bench, path)["so far"] == "done", "\(path)")
            #expect(try bench.run(["watch", "--reprocess", path]).exitCode == 0, "\(path)")
        }
        #expect(try bench.run(["watch", "--reprocess", "in/sub/"]).exitCode == 0)
        for path in ["in/.", "in/sub/..", "link/.."] {
            let outcome = try bench.run(["watch", "--explain", path])
            #expect(
                outcome.exitCode == 64 && outcome.errorText.contains("the watched folder itself"),
                "\(path): \(outcome.errorText)")
        }
        let broken = bench.file("in/sub/.takeup-folder.json")
        try Data("[".utf8).write(to: URL(fileURLWithPath: broken))
        let points = try explain(bench, "in/sub/a.mov")
        #expect(points["settings file"]?.hasPrefix("! ") == true && points["so far"] == "done")
    }

    @Test(
        "says that a file which is done would be looked at anew by other settings, and not by its own"
    )
    func renewal() throws {
        let bench = try WatchProgramBench(["a.mov": try Clip.base(seconds: 1).bytes()])
        #expect(try bench.watch().exitCode == 0)
        let question = "by these settings"
        let own = try explain(bench, "in/a.mov")
        #expect(own[question] == nil && own["so far"] == "done", "\(own)")
        let folder = ["in", "-o", "out"]
        #expect(try explain(bench, ["in/a.mov"] + folder)[question] == nil)
        let other = try explain(bench, ["in/a.mov"] + folder + ["--preset", "low"])
        #expect(other[question]?.hasSuffix("it is looked at anew") == true, "\(other)")
        let left = try explain(
            bench,
            ["in/a.mov"] + folder + ["--preset", "low", "--on-preset-change", "ignore"])
        #expect(left[question]?.contains("leaves it as it is") == true, "\(left)")
        #expect(try bench.watch(["--preset", "low"]).exitCode == 0)
        #expect(try explain(bench, "in/a.mov")[question] == nil)
    }

    @Test(
        "only what something was made of stays as it is, and an output never becomes a source",
        arguments: [
            (WatchedFile.State.done, "old", false), (.done, "", true), (.skipped, "old", true),
            (.done, WatchedFile.ownOutput, nil), (.done, "new", nil),
        ] as [(WatchedFile.State, String, Bool?)])
    func leaves(state: WatchedFile.State, work: String, isRenewed: Bool?) throws {
        let bench = try WatchProgramBench(["a.mov": Data("x".utf8)])
        let folder = WatchedPath.resolved(bench.file("in"))
        let place = try #require(WatchedPath("\(folder)/a.mov", among: [folder]))
        let found = FoundFile(at: place)
        let mark = try #require(found.mark)
        var file = WatchedFile(
            folder: folder, path: "a.mov", identity: mark.identity, fingerprint: "c", work: work)
        (file.state, file.job) = (state, state == .skipped ? nil : "one")
        let ledger = try WatchLedger(path: bench.file("home/takeup.sqlite")) { 1_000_000 }
        try ledger.record(file)
        let answers = try FileHistory(
            of: ledger.lastFile("a.mov", in: folder), at: place, ledger, nil
        ).renewal(found, "new", on: .ignore)
        #expect(
            answers.map { $0.answer.contains("looked at anew") } == [isRenewed].compactMap(\.self))
    }

    @Test("says of a file that was handed how far its job has come")
    func handed() throws {
        let bench = try WatchProgramBench(["a.mov": Data("x".utf8)])
        let folder = WatchedPath.resolved(bench.file("in"))
        let submitted = try bench.run(["submit", "in/a.mov", "--id", "one"])
        #expect(submitted.exitCode == 0, "\(submitted.errorText)")
        let mark = try #require(try FileMark.of("a.mov", below: folder))
        var file = WatchedFile(
            folder: folder, path: "a.mov", identity: mark.identity, fingerprint: "c", work: "w")
        (file.state, file.job) = (.handed, "one")
        let ledger = try WatchLedger(path: bench.file("home/takeup.sqlite")) { 1_000_000 }
        try ledger.remember("{}", of: folder)
        try ledger.record(file)
        #expect(try explain(bench, "in/a.mov")["so far"] == "handed: its job is queued")
        let end = try bench.run(["jobs", "cancel", "one"])
        #expect(end.exitCode == 0, "\(end.errorText)")
        #expect(
            try explain(bench, "in/a.mov")["so far"]
                == "handed: its job is cancelled, which the next look of its daemon takes up")
    }

    @Test("without a note the name is judged all the same, and no preset is made up")
    func unknown() throws {
        let bench = try WatchProgramBench(["a.mov": Data("x".utf8)])
        let ledger = try WatchLedger(path: bench.file("home/takeup.sqlite")) { 1_000_000 }
        try ledger.remember("{}", of: WatchedPath.resolved(bench.file("in")))
        let points = try explain(bench, "in/a.mov")
        #expect(points["name"] == "taken" && points["preset"] == nil && points["output"] == nil)
        #expect(points["settings"]?.contains("with the folder's options") == true)
        #expect(try explain(bench, "in/a.png")["name"] == "! a.png: not a media suffix")
    }

    @Test("a source that was done before sources were to go is told with the way out of that")
    func stays() throws {
        let bench = try WatchProgramBench(["a.mov": try Clip.base(seconds: 1).bytes()])
        #expect(try bench.watch([]).exitCode == 0)
        #expect(try explain(bench, "in/a.mov")["source"] == nil)
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        let said = try explain(bench, "in/a.mov")["source"] ?? ""
        #expect(
            said.hasPrefix("stays, ") && said.contains("reprocess it"), "\(said)"
        )
        // What is looked at anew goes then.
        #expect(try explain(bench, "in/a.mov", "--preset", "low")["source"] == nil)
        #expect(try bench.run(["watch", "--reprocess", "in"]).exitCode == 0)
        let asked = try explain(bench, "in/a.mov")
        #expect(asked["source"] == nil && asked["still to do"]?.contains("asked for again") == true)
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        let points = try explain(bench, "in/a.mov")
        #expect(points["source"] == nil && points["file"]?.hasPrefix("moved to ") == true)
        #expect(bench.files("in") == ["done/a.mov"])
    }

    @Test("a source that was moved is told with its new place, and its output")
    func moved() throws {
        let bench = try WatchProgramBench(["s/a.mov": try Clip.base(seconds: 1).bytes()])
        #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        for _ in 0..<2 {
            let points = try explain(bench, "in/s/a.mov")
            let folder = WatchedPath.resolved(bench.file("in"))
            #expect(points["file"] == "moved to \(folder)/done/s/a.mov")
            #expect(points["output"] == WatchedPath.resolved(bench.file("out")) + "/s/a.mp4")
            #expect(points["so far"] == "done" && points["job"] != nil)
            // A scan that misses it changes nothing.
            #expect(try bench.watch(["--after", "move"]).exitCode == 0)
        }
    }

    @Test("links, pipes and folders are told for what they are")
    func passedOver() throws {
        let bench = try WatchProgramBench(["a.mov": Data("x".utf8), "f.mov/b.mov": Data("x".utf8)])
        for name in ["link.mov", "way"] {
            try FileManager.default.createSymbolicLink(
                atPath: bench.file("in/\(name)"),
                withDestinationPath: name == "way" ? "f.mov" : "a.mov")
        }
        #expect(mkfifo(bench.file("in/pipe.mov"), 0o600) == 0)
        for (name, words) in [
            ("link.mov", "it is a symbolic link"), ("pipe.mov", "it is a named pipe"),
            ("f.mov", "it is a folder: name a file in it"),
            ("way/b.mov", "a folder on the way to it is a symbolic link"),
        ] {
            let points = try explain(bench, "in/\(name)", "in")
            #expect(points["file"] == "! passed over: \(words)", "\(points)")
            #expect(points["preset"] == nil)
        }
    }

    @Test("a file that cannot be read is told", .enabled(if: geteuid() != 0, "root may read all"))
    func unreadable() throws {
        let bench = try WatchProgramBench(["a.mov": Data("x".utf8)])
        #expect(chmod(bench.file("in/a.mov"), 0) == 0)
        #expect(try explain(bench, "in/a.mov", "in")["readable"] == "! no: Permission denied")
    }

    @Test("a refusal to open for reading is an obstacle, another's lease is told as a writer")
    func refusal() {
        let point = WatchExplanation.refusal(errno: EACCES)
        #expect(point?.answer == "no: Permission denied" && point?.isObstacle == true)
        #expect(WatchExplanation.refusal(errno: EWOULDBLOCK) == nil)
    }

    @Test("what is no watched file is refused for what it is, and only what is missing with 66")
    func refused() throws {
        let bench = try WatchProgramBench(["a.mov": Data("x".utf8)])
        try Data("x".utf8).write(to: URL(fileURLWithPath: bench.file("b.mov")))
        let ledger = try WatchLedger(path: bench.file("home/takeup.sqlite")) { 1_000_000 }
        let folder = WatchedPath.resolved(bench.file("in"))
        try ledger.remember("{}", of: folder)
        for (words, code, complaint) in [
            (["--explain", "b.mov"], 64, "lies in no watched folder"),
            (["--explain", "b.mov"], 64, "watched: \(folder); for a file of another folder"),
            (["--explain", "in"], 64, "is the watched folder itself"),
            (["--explain", "none.mov"], 66, "there is nothing of that name"),
            (["--reprocess", "b.mov"], 64, "lies in no watched folder"),
            (["--reprocess", "in/a.mov"], 64, "Takeup has not processed it yet"),
            (["--reprocess", "in/none.mov"], 66, "there is nothing of that name"),
        ] as [([String], Int32, String)] {
            let outcome = try bench.run(["watch"] + words)
            #expect(outcome.exitCode == code && outcome.errorText.contains(complaint))
            #expect(!outcome.errorText.contains("mount"), "\(outcome.errorText)")
        }
    }
}
