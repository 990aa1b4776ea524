import Foundation
import TestSupport
import Testing

@testable import takeup

/// Titles through the program's own doors, in its sealed process.
@Suite("Titles of the command line")
struct TitleProgramTests {
    private static let fonts = "/usr/share/fonts/truetype/dejavu"
    private static let preset = "--preset low --set video.speed=ultrafast"

    private func bench() throws -> AddressBench {
        let bench = try AddressBench()
        try Clip.base(seconds: 2).bytes().write(to: URL(filePath: bench.file("a.mp4")))
        try font("DejaVuSans", of: bench)
        try bench.bench.write("1\n00:00:00,500 --> 00:00:01,000\nhello\n", to: "en.srt")
        try bench.bench.write(
            #"""
            {"version": 1, "tracks": [{"segments": ["a.mp4"]}],
             "titles": [{"text": "Hi %{pts} {\\b1}", "font": "f.ttf", "start": 0.5}],
             "subtitles": [{"source": "en.srt", "language": "eng"},
                           {"source": "en.srt", "draw": {"font": "f.ttf"}}]}
            """#, to: "story.takeup.json")
        return bench
    }

    /// Puts a font where the timeline names one.
    private func font(_ name: String, of bench: AddressBench) throws {
        let bytes = try Data(contentsOf: URL(filePath: "\(Self.fonts)/\(name).ttf"))
        try bytes.write(to: URL(filePath: bench.file("f.ttf")))
    }

    private func frames(_ bench: AddressBench, _ name: String) throws -> Int {
        try MediaTools.frameCount(bench.file(name))
    }

    @Test("export, a list and submit write the same titles, and the plan names them")
    func doors() throws {
        let bench = try bench()
        let dry = try bench.program("export story.takeup.json --dry-run \(Self.preset)")
        #expect(dry.exitCode == 0 && dry.outputText.contains("title 1"), "\(dry.errorText)")
        #expect(dry.outputText.contains("Hi %{pts}") && dry.outputText.contains("1 cues"))
        let exported = try bench.program("export story.takeup.json -o out.mp4 \(Self.preset)")
        #expect(exported.exitCode == 0, "\(exported.errorText)")
        try bench.bench.write(
            #"{"jobs": [{"id": "story", "source": "story.takeup.json", "output": "list/"}]}"#,
            to: "list.json")
        let batch = try bench.program("batch list.json \(Self.preset)")
        #expect(batch.exitCode == 0, "\(batch.errorText)")
        #expect(try frames(bench, "out.mp4") == frames(bench, "list/story.mp4"))
        let streams = try MediaTools.probe(bench.file("out.mp4")).streams("subtitle")
        #expect(streams.map(\.language) == ["eng"])
        // A title changes pictures, and neither adds nor drops any.
        let plain = try bench.program("export a.mp4 -o plain.mp4 \(Self.preset)")
        #expect(plain.exitCode == 0)
        #expect(try frames(bench, "out.mp4") == frames(bench, "plain.mp4"))
        // Done once; another font is other work, the same font under another name is not.
        let submit = "submit story.takeup.json \(Self.preset)"
        #expect(try bench.program("\(submit) --id again").exitCode == 0)
        #expect(try bench.program("worker --once").exitCode == 0)
        #expect(try bench.program("jobs show again --json").outputText.contains("\"cached\""))
        let shown = try bench.program("jobs show again").outputText
        #expect(shown.contains("title 1") && shown.contains("subtitles 2"), "\(shown)")
        try font("DejaVuSerif", of: bench)
        #expect(try bench.program("\(submit) --id other").exitCode == 0)
        #expect(try bench.program("worker --once").exitCode == 0)
        let other = try bench.program("jobs show other --json").outputText
        #expect(other.contains("\"succeeded\""), "\(other)")
    }

    @Test("a font that changes between submit and run is a replaced source")
    func changedFont() throws {
        let bench = try bench()
        let submitted = try bench.program("submit story.takeup.json \(Self.preset) --id a")
        #expect(submitted.exitCode == 0, "\(submitted.errorText)")
        try FileManager.default.removeItem(atPath: bench.file("f.ttf"))
        try font("DejaVuSerif", of: bench)
        _ = try bench.program("worker --once")
        let shown = try bench.program("jobs show a --json").outputText
        #expect(shown.contains("sourceReplaced") && shown.contains("f.ttf"), "\(shown)")
    }

    @Test("a font that is missing or broken ends with its code, and its name")
    func badFonts() throws {
        let bench = try bench()
        try bench.bench.write("no font", to: "f.ttf")
        let broken = try bench.program("export story.takeup.json -o out.mp4 \(Self.preset)")
        #expect(broken.exitCode == 65 && broken.errorText.contains("f.ttf"), "\(broken.errorText)")
        try FileManager.default.removeItem(atPath: bench.file("f.ttf"))
        let missing = try bench.program("export story.takeup.json -o out.mp4 \(Self.preset)")
        #expect(missing.exitCode == 66 && missing.errorText.contains("f.ttf"))
        #expect(!FileManager.default.fileExists(atPath: bench.file("out.mp4")))
    }
}
