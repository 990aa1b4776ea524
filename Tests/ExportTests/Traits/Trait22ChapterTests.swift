import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 22: chapters", .tags(.media))
struct Trait22ChapterTests {
    /// A chapter as milliseconds and title.
    private struct Mark: Equatable {
        let start: Int
        let end: Int
        let title: String
    }

    private func clip(_ marks: [Mark]) throws -> Clip {
        let plain = try Clip.make(
            "plain.mkv",
            NumberedPictures.source(seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-c:a", "flac"])
        var text = ";FFMETADATA1\n"
        for mark in marks {
            text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(mark.start)\nEND=\(mark.end)\n"
            text += "title=\(mark.title)\n"
        }
        let directory = try TemporaryDirectory()
        let list = try directory.write(Data(text.utf8), to: "chapters.txt")
        let out = directory.file("chapters.mkv")
        let arguments = ["-v", "error", "-i", plain.path, "-i", list, "-map_chapters", "1"]
        _ = try Subprocess.run("ffmpeg", arguments + ["-c", "copy", out]).requireSuccess()
        let made = try Data(contentsOf: URL(fileURLWithPath: out))
        return try plain.edited("chapters.mkv", recipe: text) { $0 = made }
    }

    private func marks(_ path: String) throws -> [Mark] {
        try MediaTools.probe(path).chapters.map {
            Mark(
                start: Int(($0.start * 1000).rounded()), end: Int(($0.end * 1000).rounded()),
                title: $0.title ?? "")
        }
    }

    @Test("a cut keeps what lies in it, to the millisecond")
    func intersects() async throws {
        let clip = try clip([
            Mark(start: 0, end: 500, title: "Before"),
            Mark(start: 500, end: 1000, title: "Über den Anfang"),
            Mark(start: 1000, end: 1517, title: "Within"),
            Mark(start: 1517, end: 1900, title: "Over the end"),
            Mark(start: 1900, end: 2000, title: "Behind"),
        ])
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 0.75, to: 1.75)
        let (path, _) = try await trial.export([clip.path], settings: settings)
        #expect(
            try marks(path) == [
                Mark(start: 0, end: 250, title: "Über den Anfang"),
                Mark(start: 250, end: 767, title: "Within"),
                Mark(start: 767, end: 1000, title: "Over the end"),
            ])
        // At 0.75 s picture 22 is on the screen; at 1.75 s picture 52.
        #expect(try NumberedPictures.numbers(in: path) == Array(22...52))
    }

    @Test("a first chapter behind the start stays there")
    func keepsLateFirst() async throws {
        let given = [
            Mark(start: 400, end: 1200, title: "One"), Mark(start: 1200, end: 2000, title: "Two"),
        ]
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([try clip(given).path])
        #expect(try marks(path) == [Mark(start: 0, end: 400, title: "")] + given)
    }

    @Test("stripped metadata has no chapters")
    func strips() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.stripsMetadata = true
        let given = [Mark(start: 0, end: 1000, title: "One")]
        let (path, _) = try await trial.export([try clip(given).path], settings: settings)
        #expect(try marks(path).isEmpty)
    }
}
