import Foundation
import TakeupWatch
import TestSupport
import Testing

@testable import takeup

/// The daemon as a program, on folders of the test's own.
@Suite("Watch command")
struct WatchProgramTests {
    @Test("what is there comes out once, in its tree; a rename and a second run make nothing anew")
    func once() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench([
            "a.mov": clip, "b/c/it's \"d\"\n🎬.mov": try Clip.base(seconds: 2).bytes(),
            "note.txt": Data("x".utf8), ".hidden.mov": clip, "e.mov.part": clip,
        ])
        #expect(try bench.watch().exitCode == 0)
        let outputs = bench.files("out")
        #expect(outputs.count == 2 && outputs[0] == "a.mp4" && outputs[1].hasPrefix("b/c/it's "))
        for (path, seconds) in zip(outputs, [1.0, 2.0]) {
            let probed = try MediaTools.probe(bench.file("out/\(path)"))
            #expect(abs((probed.format.duration ?? 0) - seconds) < 0.1)
        }
        #expect(bench.files("in").count == 5)
        try FileManager.default.moveItem(
            atPath: bench.file("in/a.mov"), toPath: bench.file("in/z.mov"))
        #expect(try bench.watch().exitCode == 0)
        #expect(try bench.jobCount() == 2 && bench.files("out") == outputs)
    }

    @Test(
        "a source goes only once its output stands, and what failed stays",
        arguments: SourceAction.Kind.afterSuccess)
    func after(kind: SourceAction.Kind) throws {
        let clip = try Clip.base(seconds: 1)
        let broken = try clip.bytes().prefix(try clip.bytes().count / 3)
        let bench = try WatchProgramBench(["s/a.mov": try clip.bytes(), "bad.mp4": Data(broken)])
        #expect(try bench.watch(["--after", kind.rawValue]).exitCode == 3)
        let expected: [SourceAction.Kind: [String]] = [
            .move: ["bad.mp4", "done/s/a.mov"], .trash: ["bad.mp4"], .delete: ["bad.mp4"],
            .replace: ["bad.mp4", "s/a.mp4"],
        ]
        #expect(bench.files("in") == expected[kind])
        #expect(bench.files("data/Trash/files") == (kind == .trash ? ["a.mov"] : []))
        #expect(bench.files("out") == ["s/a.mp4"])
        #expect(try bench.watch(["--after", kind.rawValue]).exitCode == 3)
        #expect(try bench.jobCount() == 2 && bench.files("in") == expected[kind])
    }

    @Test("no source leaves its folder by a link for what is done")
    func linkedDone() throws {
        let bench = try WatchProgramBench(["a.mov": try Clip.base(seconds: 1).bytes()])
        let secret = bench.file("secret")
        try FileManager.default.createDirectory(atPath: secret, withIntermediateDirectories: true)
        #expect(symlink(secret, bench.file("in/done")) == 0)
        let outcome = try bench.watch(["--after", "move"])
        #expect(bench.files("out") == ["a.mp4"] && bench.files("secret").isEmpty)
        #expect(access(bench.file("in/a.mov"), F_OK) == 0)
        #expect(outcome.errorText.contains("symbolic links"))
        // Nor does the job follow one when its turn comes.
        let strict = Data(#""followsLinks":false"#.utf8)
        let stored = bench.files("home").compactMap {
            FileManager.default.contents(atPath: bench.file("home/\($0)"))
        }
        #expect(stored.contains { $0.range(of: strict) != nil })
    }

    @Test("a replaced source whose new name is taken is no new source, nor is its neighbour lost")
    func neighbours() throws {
        let bench = try WatchProgramBench([
            "IMG.MOV": try Clip.base(seconds: 1).bytes(),
            "IMG.mp4": try Clip.base(seconds: 2).bytes(),
        ])
        let words = ["watch", "in", "--stable", "0.2s", "--once", "--after", "replace"]
        #expect(try bench.run(words).exitCode == 0)
        #expect(bench.files("in") == ["IMG-1.mp4", "IMG.mp4"])
        for (name, seconds) in [("IMG-1.mp4", 1.0), ("IMG.mp4", 2.0)] {
            let probed = try MediaTools.probe(bench.file("in/\(name)"))
            #expect(abs((probed.format.duration ?? 0) - seconds) < 0.1)
        }
        #expect(try bench.run(words + ["--preset", "low"]).exitCode == 0)
        #expect(try bench.jobCount() == 2)
    }

    @Test(
        "a daemon that is killed goes on where it was; a signal ends it; two do not share a folder")
    func daemon() throws {
        let bench = try WatchProgramBench([:])
        let words = ["watch", "in", "-o", "out", "--stable", "0.2s", "--scan", "1s"]
        var first = try bench.start(words)
        let isWatching = first.waitForOutput(containing: "watching, ")
        let second = try bench.run(words)
        #expect(isWatching && second.exitCode == 75)
        #expect(second.errorText.contains("another daemon"))
        try bench.put("a.mov", try Clip.base(seconds: 1).bytes())
        let isQueued = first.waitForOutput(containing: "queued as")
        first.signal(SIGKILL)
        let killed = first.wait()
        #expect(isQueued && killed.signal == SIGKILL)
        var third = try bench.start(words)
        let isDone = third.waitForOutput(containing: "a.mov is done")
        third.signal(SIGTERM)
        let ended = third.wait()
        #expect(isDone && ended.exitCode == 143)
        #expect(bench.files("out") == ["a.mp4"])
        #expect(try bench.jobCount() == 1)
    }

    @Test(
        "folders in each other's way are refused before anything is done",
        arguments: [
            (["watch", "in", "-o", "in/out"], 78), (["watch", "in", "in/sub"], 78),
            (["watch", "in", "--cache", "in/cache"], 78), (["watch", "none"], 66),
            (["watch", "in/sub/file"], 64), (["watch", "in", "--name", "../{stem}.mp4"], 64),
            (["watch", "in", "--name", "{height}.mp4"], 64), (["watch", "in", "--done", "x"], 64),
            (["watch", "in", "--failed", "x"], 64), (["watch"], 64),
            (["watch", "in", "--only-smaller"], 64), (["watch", "in", "--explain", "x/y"], 66),
            (["watch", "none", "--explain", "none/a.mov"], 66),
            (["watch", "in", "-o", "out", "--name", "{stem}.avi"], 64),
            (["watch", "in", "--after", "burn"], 64), (["watch", "in", "--after", "delete"], 64),
            (["watch", "in", "-o", "out", "--after", "move", "--overwrite", "replace"], 64),
            (["watch", "in", "-o", "out", "--after", "move", "--verify", "none"], 64),
            (["watch", "in", "-o", "out", "--after", "delete", "--duration", "5"], 64),
            (["watch", "in/sub", "-o", "in"], 78), (["watch", "in", "one", "-o", "one/x"], 78),
            (["watch", "in", "one", "-o", "o", "--after", "move", "--done", "one/x"], 78),
        ] as [([String], Int32)])
    func refused(words: [String], code: Int32) throws {
        let bench = try WatchProgramBench([
            "sub/file": Data("x".utf8), "../one/file": Data("x".utf8),
        ])
        let outcome = try bench.run(words)
        #expect(outcome.exitCode == code, "\(outcome.errorText)")
        #expect(bench.files("out").isEmpty && bench.files("cache").isEmpty)
    }

    @Test("what is ignored or too small is left alone")
    func ignored() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench([
            "a.mov": clip, "skip/b.mov": clip + Data([0]), "keep/c.mov": clip + Data([1, 2]),
            "d.tmp.mov": clip, ".takeupignore": Data("skip/\n".utf8),
        ])
        let words = ["--exclude", "a.*", "--min-size", "\(clip.count + 1)"]
        #expect(try bench.watch(words + ["--name", "{stem}-{preset}.mp4"]).exitCode == 0)
        #expect(bench.files("out") == ["c-medium.mp4"])
        #expect(bench.files("in").count == 5)
    }
}
