import Foundation
import TestSupport
import Testing

@testable import takeup

@Suite("Stories of the command line")
struct TemplateProgramTests {
    private static let fast =
        "--set video.speed=ultrafast --set video.maxWidth=90"
        + " --set video.maxHeight=160"

    /// A lying clip of 8 s with words from 1 to 2 s, an upright one without sound, one of 0.3 s, a still, and music.
    private func bench() throws -> AddressBench {
        let bench = try AddressBench()
        func clip(_ name: String, _ arguments: [String]) throws {
            try Clip.make(name, arguments).bytes()
                .write(to: URL(filePath: bench.file(name)))
        }
        let words = "aevalsrc='0.3*sin(2*PI*440*t)*between(t,1,2)':s=48000:d=8"
        try clip(
            "a.mp4",
            [
                "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=8", "-f", "lavfi",
                "-i",
                words, "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
            ])
        try clip(
            "b.mp4",
            [
                "-f", "lavfi", "-i", "testsrc2=size=180x320:rate=30:duration=2", "-c:v", "libx264",
                "-preset", "ultrafast",
            ])
        try clip(
            "c.mp4",
            [
                "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=0.32", "-f", "lavfi",
                "-i", "sine=frequency=300:duration=0.32", "-c:v", "libx264", "-c:a", "aac",
            ])
        try clip(
            "d.png",
            ["-f", "lavfi", "-i", "testsrc2=size=200x200:rate=1:duration=1", "-frames:v", "1"])
        try clip(
            "m.wav", ["-f", "lavfi", "-i", "sine=frequency=1000:duration=5:sample_rate=48000"])
        return bench
    }

    @Test("clips of all kinds become one upright film over music, from every door")
    func story() throws {
        let bench = try bench()
        let line = "a.mp4 b.mp4 c.mp4 d.png --template stories --music m.wav"
        let made = try bench.program("export \(line) -o story.mp4 --quiet \(Self.fast)")
        #expect(made.exitCode == 0 && made.errorText == "", "\(made.errorText)")
        let file = try MediaTools.probe(bench.file("story.mp4"))
        let video = try #require(file.streams("video").first)
        #expect(video.width == 90 && video.height == 160)
        // 6 + 2 + 0.32 + 6 s, less transitions of 0.5, 0.16 and 0.16 s.
        let duration = try #require(file.format.duration)
        #expect(abs(duration - 13.5) < 0.05, "\(duration)")
        #expect(file.streams("audio").count == 1)
        #expect(try MediaTools.decodeErrors(bench.file("story.mp4")) == [])
        let music = try loudness(bench.file("story.mp4"), at: [1.3, 4, 8.6, 10.8, 13.3])
        // Half as loud; a quarter of it under the words; silent at the end, and never silent where it is repeated.
        #expect(abs(music[0] / music[1] - 0.25) < 0.05, "\(music)")
        #expect(abs(music[2] / music[1] - 1) < 0.05 && abs(music[3] / music[1] - 1) < 0.05)
        #expect(music[4] < music[1] * 0.2, "\(music)")
        try bench.bench.write(
            """
            [{"id": "story", "source": ["a.mp4", "b.mp4", "c.mp4", "d.png"], "template": "stories",
              "music": "m.wav"}]
            """, to: "list.json")
        #expect(try bench.program("batch list.json \(Self.fast)").exitCode == 0)
        // The same work was done already.
        let again = try bench.program("submit \(line) \(Self.fast) --id again")
        #expect(again.exitCode == 0, "\(again.errorText)")
        #expect(try bench.program("worker --once").exitCode == 0)
        let shown = try bench.program("jobs show again --json").outputText
        #expect(shown.contains(#""state":"cached""#), "\(shown)")
    }

    @Test("what a template makes can be seen before, and wrong uses are told")
    func options() throws {
        let bench = try bench()
        let line = "export a.mp4 b.mp4 --template stories"
        let dry = try bench.program("\(line) --music m.wav --dry-run")
        #expect(dry.exitCode == 0, "\(dry.errorText)")
        #expect(dry.outputText.contains("1080x1920"))
        let drawing = AddressBench.plain(dry.outputText)
        #expect(drawing.contains("layer 1  |a.mp4"), "\(drawing)")
        let written = try bench.program("\(line) --music m.wav -o s.takeup.json")
        #expect(written.exitCode == 0, "\(written.errorText)")
        let again = try bench.program("export s.takeup.json --preset stories --dry-run")
        #expect(again.outputText == dry.outputText)
        for wrong in [
            "export a.mp4 --music m.wav -o x.mp4", "export a.mp4 --template storys -o x.mp4",
            "export s.takeup.json --template stories -o x.mp4",
            "export --video a.mp4 --audio m.wav --template stories -o x.mp4",
        ] {
            #expect(try bench.program(wrong).exitCode == 64, "\(wrong)")
        }
        #expect(try bench.program("presets list").outputText.contains("Templates, for --template:"))
        let shown = try bench.program("presets show stories --template")
        try bench.bench.write(shown.outputText, to: "mine.json")
        let mine = try bench.program("export a.mp4 --template ./mine.json --dry-run")
        #expect(mine.exitCode == 0, "\(mine.errorText)")
    }

    /// How loud 1000 Hz is around some times, in the first channel.
    private func loudness(_ path: String, at times: [Double]) throws -> [Double] {
        let outcome = try Subprocess.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-ar", "48000",
                "-f", "f32le", "-",
            ])
        let bytes = try outcome.requireSuccess().standardOutput
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        return times.map { time in
            let start = Int(time * 48_000)
            let part = samples[start..<min(samples.count, start + 4_800)]
            var (re, im) = (0.0, 0.0)
            for (place, sample) in part.enumerated() {
                let angle = 2 * Double.pi * 1000 * Double(place) / 48_000
                re += Double(sample) * cos(angle)
                im += Double(sample) * sin(angle)
            }
            return 2 * (re * re + im * im).squareRoot() / Double(max(1, part.count))
        }
    }
}
