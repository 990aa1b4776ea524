import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 23: text subtitles", .tags(.media))
struct Trait23SubtitleTests {
    private struct Cue: Equatable {
        let time: String
        let text: String
    }

    private static let script = """
        1
        00:00:00,500 --> 00:00:01,250
        alpha

        2
        00:00:01,400 --> 00:00:01,600
        beta

        3
        00:00:01,901 --> 00:00:02,800
        gamma

        """

    private func clip(_ container: String, codec: String) throws -> Clip {
        let plain = try Clip.make(
            "plain.mkv",
            NumberedPictures.source(seconds: 3) + Clip.tone(seconds: 3)
                + ["-c:v", "libx264", "-c:a", "flac"])
        let directory = try TemporaryDirectory()
        let cues = try directory.write(Data(Self.script.utf8), to: "cues.srt")
        let out = directory.file("text.\(container)")
        let arguments = ["-v", "error", "-i", plain.path, "-i", cues, "-map", "0", "-map", "1"]
        let codecs = [
            "-c", "copy", "-strict", "-2", "-c:s", codec, "-metadata:s:s:0", "language=fre", out,
        ]
        _ = try Subprocess.run("ffmpeg", arguments + codecs).requireSuccess()
        let made = try Data(contentsOf: URL(fileURLWithPath: out))
        return try plain.edited("text.\(container)", recipe: codec + Self.script) { $0 = made }
    }

    /// What FFmpeg reads back, without markup.
    private func cues(_ path: String) throws -> [Cue] {
        let arguments = ["-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"]
        let text = try Subprocess.run("ffmpeg", arguments).requireSuccess().outputText
        return text.components(separatedBy: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n").map(String.init)
            guard lines.count >= 3 else { return nil }
            let words = lines[2].replacingOccurrences(
                of: "<[^>]*>", with: "", options: .regularExpression)
            return Cue(time: lines[1], text: words)
        }
    }

    static let kinds = [("mp4", "mov_text"), ("mkv", "srt"), ("mkv", "ass")]

    @Test("a cut clips cues to the range, to the millisecond", arguments: kinds)
    func clipsCues(container: String, codec: String) async throws {
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 1, to: 2.25)
        let source = try clip(container, codec: codec).path
        let (path, _) = try await trial.export([source], settings: settings)
        #expect(
            try cues(path) == [
                Cue(time: "00:00:00,000 --> 00:00:00,250", text: "alpha"),
                Cue(time: "00:00:00,400 --> 00:00:00,600", text: "beta"),
                Cue(time: "00:00:00,901 --> 00:00:01,250", text: "gamma"),
            ])
        let stream = try #require(try MediaTools.probe(path).streams("subtitle").first)
        #expect(stream.codec == "mov_text" && stream.language == "fre")
        let shown = try NumberedPictures.shown(in: path)
        #expect(shown.first == .init(time: 0, number: 30))
        #expect(shown.count == 38)
    }

    @Test("the whole keeps every cue where it was", arguments: kinds)
    func keepsCues(container: String, codec: String) async throws {
        let trial = try ExportTrial()
        let source = try clip(container, codec: codec).path
        let (path, _) = try await trial.export([source])
        #expect(try cues(path) == cues(source))
        #expect(try cues(path).count == 3)
    }

    @Test("a preset that drops text leaves no trace of it")
    func drops() async throws {
        let trial = try ExportTrial()
        var preset = try ExportTrial.preset()
        preset.subtitles = .drop
        let source = try clip("mkv", codec: "srt").path
        let (path, _) = try await trial.export([source], preset: preset)
        #expect(try MediaTools.probe(path).streams("subtitle").isEmpty)
    }

    @Test("a join keeps the cues of all sources, one after another")
    func joins() async throws {
        let clip = try clip("mkv", codec: "srt")
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path, clip.path])
        #expect(!report.warnings.contains { $0.code == "subtitleDropped" })
        let found = try cues(path)
        #expect(found.map(\.text) == ["alpha", "beta", "gamma", "alpha", "beta", "gamma"])
        #expect(found[3].time.hasPrefix("00:00:03,5"))
    }
}
