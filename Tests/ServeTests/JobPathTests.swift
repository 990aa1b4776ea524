import Foundation
import TakeupIntake
import TakeupJobs
import TakeupService
import TestSupport
import Testing

@testable import TakeupServe

@Suite("Paths of jobs over HTTP")
struct JobPathTests {
    private func submit(
        _ trial: JobTrial, source: String, output: String? = nil, preset: String? = nil
    ) throws -> JobReply {
        var job: [String: Any] = ["source": source, "id": "job-\(UInt32.random(in: 0 ... .max))"]
        job["output"] = output
        job["preset"] = preset
        let body = try JSONSerialization.data(withJSONObject: job)
        return try trial.ask("POST", "/v1/jobs", String(decoding: body, as: UTF8.self))
    }

    @Test("only what lies below an allowed folder may be named, and no text tells what is there")
    func sources() throws {
        let trial = try JobTrial()
        let inside = try trial.file("a.mov")
        #expect(try submit(trial, source: inside).status == 201)
        #expect(try submit(trial, source: "\(trial.allowed)/missing.mov").status == 201)
        // A relative path starts at the first allowed folder.
        #expect(try submit(trial, source: "a.mov").status == 201)
        let outside = trial.directory.file("secret.mov")
        try Data("x".utf8).write(to: URL(filePath: outside))
        try FileManager.default.createSymbolicLink(
            atPath: "\(trial.allowed)/link.mov", withDestinationPath: outside)
        try FileManager.default.createSymbolicLink(
            atPath: "\(trial.allowed)/folder", withDestinationPath: trial.directory.file("home"))
        var words: Set<String> = []
        for source in [
            outside, trial.directory.file("nothing.mov"), "/etc/passwd", "/", trial.allowed,
            "\(trial.allowed)/../secret.mov", "\(trial.allowed)/x/../../secret.mov",
            "\(trial.allowed)/link.mov", "\(trial.allowed)/folder/takeup.sqlite",
            "../secret.mov", "\(inside)\0.mov", "\(trial.places.home)/takeup.sqlite",
            "\(trial.allowed)evil/a.mov",
        ] {
            let refused = try submit(trial, source: source)
            #expect(refused.status == 403 && refused.word("code") == "pathNotAllowed", "\(source)")
            // The message shows the path that the client sent: it reveals nothing of the server.
            let detail = refused.word("detail") ?? ""
            #expect(detail.contains("'\(source.prefix(80))"), "\(detail)")
            words.insert(detail.replacing(/'.*'/.dotMatchesNewlines(), with: ""))
        }
        #expect(words == ["source: names , which is not allowed here"], "\(words)")
        let list = #"[{"source": "a.mov"}, {"source": ["a.mov", "../x.mov"]}, {"preset": 1}]"#
        let answers = try trial.ask("POST", "/v1/jobs", list)
        #expect(
            answers.word("jobs.1.error.message")
                == "job 2, source: names '../x.mov', which is not allowed here")
        let timeline = #"{"source": {"version": 1, "tracks": [{"segments": ["a", "/b.mov"]}]}}"#
        #expect(
            try trial.ask("POST", "/v1/jobs", timeline).word("detail")
                == "source: names '/b.mov', which is not allowed here")
        // Fonts and subtitles obey the rule as well; the standard font was named by nobody.
        func titled(_ members: String) -> String {
            #"{"source": {"version": 1, "tracks": [{"segments": ["a"]}], \#(members)}}"#
        }
        for (members, name) in [
            (#""titles": [{"text": "a", "font": "/f.ttf"}]"#, "/f.ttf"),
            (#""subtitles": [{"source": "../s.srt"}]"#, "../s.srt"),
        ] {
            #expect(
                try trial.ask("POST", "/v1/jobs", titled(members)).word("detail")
                    == "source: names '\(name)', which is not allowed here")
        }
        let plain = titled(#""titles": [{"text": "a"}]"#)
        #expect(try trial.ask("POST", "/v1/jobs", plain).status == 201)
    }

    @Test("outputs obey the same rule; home and cache are never one")
    func outputs() throws {
        let trial = try JobTrial()
        let source = try trial.file("a.mov")
        #expect(try submit(trial, source: source, output: "out/a.mp4").status == 201)
        #expect(try submit(trial, source: source, output: "\(trial.allowed)/b.mp4").status == 201)
        #expect(try submit(trial, source: source, output: "\(trial.allowed)/sub/").status == 201)
        try FileManager.default.createSymbolicLink(
            atPath: "\(trial.allowed)/away", withDestinationPath: trial.directory.file("x"))
        for output in [
            "/tmp/a.mp4", "\(trial.allowed)/../a.mp4", "\(trial.allowed)/away/a.mp4",
            "\(trial.places.home)/a.mp4", "\(trial.places.cache)/a.mp4", "/a.mp4", "a\0.mp4",
        ] {
            let refused = try submit(trial, source: source, output: output)
            #expect(refused.status == 403 && refused.word("code") == "pathNotAllowed", "\(output)")
        }
        let bucket = try submit(trial, source: source, output: "s3://films/a.mp4")
        #expect(bucket.status == 400, "\(bucket.text)")
        #expect(bucket.word("detail")?.contains("cannot be in a bucket over HTTP") == true)
        // Below an allowed folder, too.
        let rule = PathRule(folders: ["/"], refused: [trial.places.home], uploads: nil)
        #expect(
            rule.output("\(trial.places.home)/a.mp4") == nil && rule.source("/etc/hosts") != nil)
    }

    @Test("a preset's path obeys the rule")
    func presets() throws {
        let trial = try JobTrial()
        let source = try trial.file("a.mov")
        for preset in ["/etc/passwd", "../a.json", trial.directory.file("p.json")] {
            let refused = try submit(trial, source: source, preset: preset)
            #expect(refused.status == 403, "\(preset): \(refused.text)")
        }
        #expect(try submit(trial, source: source, preset: "none.json").status == 400)
        #expect(try submit(trial, source: source, preset: "lo").status == 400)
    }

    @Test("links that are swapped in after the check lead nowhere")
    func swaps() async throws {
        let trial = try JobTrial()
        let outside = trial.directory.file("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        let clip = try Clip.base(seconds: 1).path
        try FileManager.default.copyItem(atPath: clip, toPath: "\(outside)/a.mp4")
        for name in ["in", "out"] {
            try FileManager.default.createDirectory(
                atPath: "\(trial.allowed)/\(name)", withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(atPath: clip, toPath: "\(trial.allowed)/in/a.mp4")
        let good = try trial.clip("good.mp4")
        for (id, source, output) in [
            ("reads", "\(trial.allowed)/in/a.mp4", "\(trial.allowed)/read.mp4"),
            ("writes", good, "\(trial.allowed)/out/written.mp4"),
            ("fine", good, "\(trial.allowed)/new/fine.mp4"),
        ] {
            let body = """
                {"id": "\(id)", "source": "\(source)", "output": "\(output)", "retries": 0,
                 "preset": "passthrough", "onReplaced": "accept"}
                """
            #expect(try trial.ask("POST", "/v1/jobs", body).status == 201)
        }
        for name in ["in", "out"] {
            try FileManager.default.removeItem(atPath: "\(trial.allowed)/\(name)")
            try FileManager.default.createSymbolicLink(
                atPath: "\(trial.allowed)/\(name)", withDestinationPath: outside)
        }
        var states: [String: String] = [:]
        try await trial.working {
            for id in ["reads", "writes", "fine"] {
                let events = try trial.ask("GET", "/v1/jobs/\(id)/events").events
                let status = events.last?.object["status"] as? String
                states[id] = status == "cached" ? "succeeded" : status
            }
        }
        #expect(states == ["reads": "failed", "writes": "failed", "fine": "succeeded"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["a.mp4"])
        #expect(FileManager.default.fileExists(atPath: "\(trial.allowed)/new/fine.mp4"))
        #expect(!FileManager.default.fileExists(atPath: "\(trial.allowed)/read.mp4"))
    }
}
