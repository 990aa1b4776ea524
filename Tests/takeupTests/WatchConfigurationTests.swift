import Foundation
@testable import TakeupIngest
import TakeupWatch
import TestSupport
import Testing

@testable import takeup

@Suite("Watched folders of a configuration")
struct WatchConfigurationTests {
    @Test(
        "what nobody understands is refused with 78, and says where",
        arguments: [
            (#"{"watch": {"folder": [{"path": "in"}]}}"#, "did you mean 'folders'?"),
            (#"{"watch": {"folders": [{"output": "out"}]}}"#, "has no path"),
            (#"{"watch": {"folders": [{"path": "in", "prest": "low"}]}}"#, "'preset'"),
            (#"{"watch": {"folders": [{"path": "in", "after": "burn"}]}}"#, "after cannot be"),
            (#"{"watch": {"folders": [{"path": "in", "once": true}]}}"#, "unknown key 'once'"),
            (#"{"watch": {"rules": [{"preset": "none"}], "folders": [{"path": "in"}]}}"#, "none"),
            (#"{"watch": {"rules": [{"glop": "x"}]}}"#, "glop"),
            (#"{"watch": []}"#, "not a configuration"), (#"{"folders": []}"#, "unknown key"),
            (#"{"watch": {"folders": [{"path": "in", "output": "in/out"}]}}"#, "lies in"),
        ])
    func wrong(text: String, complaint: String) throws {
        let bench = try WatchProgramBench([:])
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
        let outcome = try bench.run(["watch", "--config", "c.json", "--once"])
        let isRefused = outcome.exitCode == 78 || outcome.exitCode == 64
        #expect(isRefused && outcome.errorText.contains(complaint), "\(outcome.errorText)")
    }

    @Test("a folder's own settings go before those for all, and the command line before both")
    func precedence() throws {
        let bench = try WatchProgramBench([:])
        let text = """
            {"preset": "highest", "priority": 2, "watch": {"output": "all", "preset": "medium",
              "folders": [{"path": "in", "output": "own", "exclude": ["a", "b"]}]}}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
        let outcome = try bench.run(["doctor", "--config", "c.json", "--json"])
        let report = try #require(
            try JSONSerialization.jsonObject(with: outcome.standardOutput) as? [String: Any])
        let folders = try #require(report["watch"] as? [[String: Any]])
        let settings = try #require(folders.first?["settings"] as? [[String: Any]])
        let found = Dictionary(
            uniqueKeysWithValues: settings.map { setting in
                let value = setting["value"] as? String ?? "-"
                let origin = (setting["origin"] as? String ?? "")
                return (setting["name"] as? String ?? "", "\(value) of \(origin)")
            })
        #expect(folders.first?["folder"] as? String == WatchedPath.resolved(bench.file("in")))
        #expect(found["output"]?.hasSuffix("own of config c.json, watch folder in") == true)
        #expect(found["preset"] == "medium of config c.json, watch")
        #expect(found["priority"] == "2 of config c.json" && found["after"] == "keep of default")
        #expect(found["exclude"] == "b of config c.json, watch folder in")
        let flagged = try bench.run([
            "watch", "--config", "c.json", "--preset", "low", "--explain", "in/x.mov",
        ])
        #expect(flagged.outputText.contains("low"), "\(flagged.errorText)")
    }

    @Test("rules and folders' settings files decide, the innermost and first before the others")
    func rules() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        func other(_ number: UInt8) -> Data { clip + Data([number]) }
        let bench = try WatchProgramBench([
            "a.mov": other(1), "b.mov": other(2), "sub/c.mov": other(3), "sub/deep/d.mov": other(4),
            "no/e.mov": other(5),
            "sub/.takeup-folder.json": Data(
                #"{"name": "{stem}-sub.mp4", "rules": [{"glob": "d.*", "output": "d.mp4"}]}"#.utf8),
            "no/.takeup-folder.json": Data(#"{"skip": "not here"}"#.utf8),
        ])
        let text = """
            {"watch": {"rules": [{"glob": "b.*", "skip": "no b"}, {"maxSeconds": 0.5, "skip": "short"},
              {"hasVideo": true, "videoCodec": "h264", "preset": "low"}],
              "folders": [{"path": "in", "output": "out", "stable": "0.2s",
                           "name": "{stem}-{preset}.mp4"}]}}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
        let outcome = try bench.run(["watch", "--config", "c.json", "--once"])
        #expect(outcome.exitCode == 0, "\(outcome.errorText)")
        #expect(bench.files("out") == ["a-low.mp4", "c-sub.mp4", "d.mp4"])
        let explained = try bench.run(["watch", "--config", "c.json", "--explain", "in/no/e.mov"])
        #expect(explained.outputText.contains("not here"))
        // What a settings file says is taken up while the daemon runs, and one that is wrong stops its folder alone.
        try bench.put("no/.takeup-folder.json", Data(#"{"preset": "/etc/passwd"}"#.utf8))
        let broken = try bench.run(["watch", "--config", "c.json", "--once"])
        #expect(broken.exitCode == 3 && bench.files("out").count == 3)
        try bench.put("no/.takeup-folder.json", Data(#"{"name": "e.mp4"}"#.utf8))
        #expect(try bench.run(["watch", "--config", "c.json", "--once"]).exitCode == 0)
        #expect(bench.files("out") == ["a-low.mp4", "c-sub.mp4", "d.mp4", "e.mp4"])
    }

    @Test("SIGHUP reads the configuration again, and one that is wrong changes nothing")
    func reload() throws {
        let bench = try WatchProgramBench(["a.mov": try Clip.base(seconds: 1).bytes()])
        try FileManager.default.createDirectory(
            atPath: bench.file("in2"), withIntermediateDirectories: true)
        func write(_ folders: String) throws {
            let text = #"{"watch": {"stable": "0.2s", "scan": "1s", "folders": [\#(folders)]}}"#
            try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
        }
        try write(#"{"path": "in", "output": "out"}"#)
        var daemon = try bench.start(["watch", "--config", "c.json"])
        let isDone = daemon.waitForOutput(containing: "a.mov is done")
        try write(#"{"path": "in", "output": "out"}, {"path": "in2", "outputt": "out2"}"#)
        daemon.signal(SIGHUP)
        let isKept = daemon.waitForOutput(containing: "the configuration stays as it was")
        try write(#"{"path": "in", "output": "out"}, {"path": "in2", "output": "out2"}"#)
        daemon.signal(SIGHUP)
        let isRead = daemon.waitForOutput(containing: "was read again: 2 folders")
        let clip = try Clip.base(seconds: 2).bytes()
        try clip.write(to: URL(fileURLWithPath: bench.file("in2/b.mov")))
        let isTaken = daemon.waitForOutput(containing: "b.mov is done")
        daemon.signal(SIGTERM)
        let ended = daemon.wait()
        #expect(isDone && isKept && isRead && isTaken, "\(ended.errorText)")
        #expect(ended.exitCode == 143)
        #expect(bench.files("out") == ["a.mp4"] && bench.files("out2") == ["b.mp4"])
        #expect(try bench.jobCount() == 2)
    }

    @Test("what failed is set aside with its reason, and outputs look like their sources")
    func failures() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench([
            "s/a.mov": clip, "s/bad.mov": clip.prefix(clip.count / 2),
        ])
        #expect(chmod(bench.file("in/s/a.mov"), 0o640) == 0)
        var times = [timeval(tv_sec: 1_000, tv_usec: 0), timeval(tv_sec: 2_000, tv_usec: 0)]
        #expect(utimes(bench.file("in/s/a.mov"), &times) == 0)
        #expect(try bench.watch(["--after-failure", "move"]).exitCode == 3)
        #expect(bench.files("in") == ["failed/s/bad.mov", "failed/s/bad.mov.json", "s/a.mov"])
        let note = try #require(
            FileManager.default.contents(atPath: bench.file("in/failed/s/bad.mov.json")))
        let report = try JSONSerialization.jsonObject(with: note) as? [String: Any]
        let job = report?["job"] as? [String: Any]
        let error = job?["error"] as? [String: Any]
        #expect(report?["type"] as? String == "watch.failed" && error?["message"] is String)
        var facts = stat()
        #expect(stat(bench.file("out/s/a.mp4"), &facts) == 0)
        #expect(facts.st_mode & 0o7777 == 0o640 && facts.st_mtim.tv_sec == 2_000)
        #expect(try bench.watch(["--after-failure", "move"]).exitCode == 0)
        #expect(try bench.jobCount() == 2)
    }

    @Test("an output that is no smaller is not given, and its source stays")
    func onlySmaller() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let padded = clip + Data(repeating: 7, count: 3_000_000)
        let bench = try WatchProgramBench([
            "small.mov": clip.prefix(clip.count), "large.mov": padded,
        ])
        let words = [
            "--only-smaller", "--after", "delete", "--preset", "highest", "--copy", "never",
        ]
        #expect(try bench.watch(words).exitCode == 0)
        let outputs = bench.files("out")
        #expect(outputs.contains("large.mp4") && !bench.files("in").contains("large.mov"))
        // By its own size: what an encoder makes of a small clip differs.
        #expect(outputs.contains("small.mp4") != bench.files("in").contains("small.mov"))
        let again = try bench.watch(words)
        #expect(again.exitCode == 0 && bench.files("out") == outputs)
    }

    @Test("a file is made again when somebody asks for it, in its old output's place")
    func reprocess() throws {
        let bench = try WatchProgramBench([
            "a.mov": try Clip.base(seconds: 1).bytes(), "b.mov": try Clip.base(seconds: 2).bytes(),
        ])
        #expect(try bench.watch().exitCode == 0)
        #expect(try bench.run(["watch", "--reprocess", "in/a.mov"]).exitCode == 0)
        #expect(try bench.run(["watch", "--reprocess", "in/none.mov"]).exitCode == 66)
        #expect(try bench.watch().exitCode == 0)
        #expect(bench.files("out") == ["a.mp4", "b.mp4"])
        #expect(try bench.jobCount() == 3)
        try FileManager.default.removeItem(atPath: bench.file("out/b.mp4"))
        #expect(try bench.run(["watch", "--reprocess", "in"]).exitCode == 0)
        #expect(try bench.watch().exitCode == 0)
        #expect(bench.files("out") == ["a.mp4", "b.mp4"])
        #expect(try bench.watch().exitCode == 0)
        #expect(try bench.jobCount() == 5)
    }

    @Test("hooks are told of each end before a run that is over ends, and not twice")
    func hooks() throws {
        let clip = try Clip.base(seconds: 1).bytes()
        let bench = try WatchProgramBench(["a \n$(x).mov": clip, "bad.mov": clip.prefix(900)])
        let told = bench.file("told")
        let text = """
            {"watch": {"hooks": [{"events": ["done", "failed", "acted"],
                "command": ["/bin/sh", "-c", "cat >> \(told)"]}],
              "folders": [{"path": "in", "output": "out", "stable": "0.2s", "after": "move"}]}}
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: bench.file("c.json")))
        for _ in 0..<2 {
            #expect(try bench.run(["watch", "--config", "c.json", "--once"]).exitCode == 3)
        }
        let lines = String(
            decoding: try #require(FileManager.default.contents(atPath: told)), as: UTF8.self
        ).split(separator: "\n")
        let events = try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let types = events.compactMap { $0["type"] as? String }.sorted()
        #expect(types == ["watch.acted", "watch.done", "watch.failed"])
        let done = try #require(events.first { $0["type"] as? String == "watch.done" })
        #expect(done["path"] as? String == "a \n$(x).mov")
        let output = done["output"] as? [String: Any]
        #expect((output?["sha256"] as? String)?.count == 64)
    }
}
