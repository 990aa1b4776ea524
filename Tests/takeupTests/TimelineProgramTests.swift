import Foundation
import TestSupport
import Testing

@testable import takeup

/// Timelines through the program's own doors.
@Suite("Timelines of the command line")
struct TimelineProgramTests {
    private func bench() throws -> AddressBench {
        let bench = try AddressBench()
        for (name, seconds) in [("a.mp4", 2), ("b.mp4", 3)] {
            try Clip.base(seconds: seconds).bytes().write(to: URL(filePath: bench.file(name)))
        }
        try bench.bench.write(
            """
            {"version": 1, "tracks": [{"segments": [
                {"source": "a.mp4", "start": 0.5, "duration": 1}, {"empty": "0.25"},
                {"source": "b.mp4", "end": 0.5, "speed": 2}]}]}
            """, to: "story.takeup.json")
        return bench
    }

    @Test("export, a list and submit make the same parts of it")
    func doors() throws {
        let bench = try bench()
        let preset = "--preset low --set video.speed=ultrafast"
        let exported = try bench.program("export story.takeup.json -o out.mp4 \(preset)")
        #expect(exported.exitCode == 0, "\(exported.errorText)")
        let dry = try bench.program("export story.takeup.json --dry-run \(preset)")
        #expect(dry.exitCode == 0 && dry.outputText.contains("empty time  0.250 s"))
        #expect(dry.outputText.contains("speed       part 3 at 2"), "\(dry.outputText)")
        try bench.bench.write(
            #"{"jobs": [{"id": "story", "source": "story.takeup.json", "output": "list/"}]}"#,
            to: "list.json")
        let batch = try bench.program("batch list.json \(preset)")
        #expect(batch.exitCode == 0, "\(batch.errorText)")
        for path in ["out.mp4", "list/story.mp4"] {
            let duration = try MediaTools.probe(bench.file(path)).format.duration ?? 0
            #expect(abs(duration - 1.5) < 0.05, "\(path) lasts \(duration)")
            #expect(try MediaTools.decodeErrors(bench.file(path)) == [])
        }
        // The same work was done already: nothing is encoded again.
        let again = try bench.program("submit story.takeup.json \(preset) --id again")
        #expect(again.exitCode == 0, "\(again.errorText)")
        #expect(try bench.program("worker --once").exitCode == 0)
        let shown = try bench.program("jobs show again --json").outputText
        #expect(shown.contains(#""state":"cached""#), "\(shown)")
    }

    @Test("a dry run draws it, for a terminal and as a picture; objects stay as they are")
    func picture() throws {
        let bench = try bench()
        let line = "export story.takeup.json --preset low --dry-run"
        let text = AddressBench.plain(try bench.program(line).outputText)
        #expect(text.contains("\nvideo  |a.mp4 ###"), "\(text)")
        #expect(text.contains("|b.mp4") && text.contains("# encoded   . nothing"))
        #expect(!text.contains("\u{1B}"))
        let objects = try bench.program("\(line) --json").outputText.split(separator: "\n")
        #expect(objects.count == 1 && objects[0].hasPrefix(#"{"type":"plan""#), "\(objects)")
        let svg = try bench.program("\(line)=svg")
        #expect(svg.exitCode == 0 && svg.outputText.hasPrefix("<?xml"))
        #expect(svg.outputText.contains("a.mp4 from 0:00.500, at 0:00.000 for 0:01.000, encoded"))
        #expect(try bench.program("\(line)=png").exitCode == 64)
        #expect(try bench.program("\(line)=svg --json").exitCode == 64)
        let plain = try bench.program("export a.mp4 --preset low --dry-run")
        #expect(plain.exitCode == 0 && !plain.outputText.contains("nothing"))
    }

    @Test("a timeline is written for editing programs, and read again with the same cuts")
    func otherForms() throws {
        let bench = try bench()
        let written = try bench.program("export story.takeup.json -o story.otio")
        #expect(written.exitCode == 0, "\(written.errorText)")
        let again = try bench.program("export story.takeup.json -o story.otio")
        #expect(again.exitCode != 0, "it was replaced")
        #expect(try bench.program("export story.takeup.json -o x.otio --start 1").exitCode == 64)
        #expect(try bench.program("export story.takeup.json -o x.edl").exitCode == 64)
        let preset = "--preset low --set video.speed=ultrafast"
        let exported = try bench.program("export story.otio -o out.mp4 \(preset)")
        #expect(exported.exitCode == 0, "\(exported.errorText)")
        let duration = try MediaTools.probe(bench.file("out.mp4")).format.duration ?? 0
        #expect(abs(duration - 1.5) < 0.05)
        try bench.bench.write(
            "* FRAME RATE: 30\n001 a B C 00:00:00:05 00:00:01:05 01:00:00:00 01:00:01:00\n",
            to: "cut.edl")
        try bench.bench.write(
            #"{"jobs": [{"id": "o", "source": "story.otio"}, {"id": "e", "source": "cut.edl"}]}"#,
            to: "list.json")
        let batch = try bench.program("batch list.json \(preset) --output list")
        #expect(batch.exitCode == 0, "\(batch.errorText)")
        for (name, wanted) in [("o", 1.5), ("e", 1.0)] {
            let made = try MediaTools.probe(bench.file("list/\(name).mp4")).format.duration ?? 0
            #expect(abs(made - wanted) < 0.05, "\(name) lasts \(made)")
        }
    }

    @Test("a fault in it is told with its line, and nothing is left behind")
    func faults() throws {
        let bench = try bench()
        try bench.bench.write(
            "{\"version\": 1,\n \"tracks\": [{\"segments\": [{\"sorce\": \"a.mp4\"}]}]}",
            to: "bad.takeup.json")
        let refused = try bench.program("export bad.takeup.json -o out.mp4")
        #expect(refused.exitCode == 64)
        #expect(
            refused.errorText.contains("line 2")
                && refused.errorText.contains("did you mean 'source'"))
        #expect(try bench.program("export none.takeup.json -o out.mp4").exitCode == 66)
        #expect(try bench.program("export story.takeup.json a.mp4 -o out.mp4").exitCode == 64)
        #expect(!FileManager.default.fileExists(atPath: bench.file("out.mp4")))
    }
}
