import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 21: timecode and data tracks", .tags(.media))
struct Trait21DataTrackTests {
    private func clip() throws -> Clip {
        let directory = try TemporaryDirectory()
        let chapters = ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Only\n"
        let list = try directory.write(Data(chapters.utf8), to: "chapters.txt")
        // The recipe must not name a path that differs from run to run.
        let plain = try Clip.make(
            "plain.mov",
            NumberedPictures.source(seconds: 1) + Clip.tone(seconds: 1) + [
                "-c:v", "libx264", "-c:a", "aac", "-timecode", "01:02:03:04",
            ])
        let out = directory.file("tmcd.mov")
        _ = try Subprocess.run(
            "ffmpeg",
            ["-v", "error", "-i", plain.path, "-i", list, "-map", "0:v", "-map", "0:a"]
                + ["-map_metadata", "0", "-map_chapters", "1", "-c", "copy"]
                + ["-timecode", "01:02:03:04", out]
        ).requireSuccess()
        let made = try Data(contentsOf: URL(fileURLWithPath: out))
        return try plain.edited("tmcd.mov", recipe: "with a chapter track") { $0 = made }
    }

    @Test("the timecode survives as metadata, the data tracks are named as dropped")
    func keepsTimecode() async throws {
        let clip = try clip()
        #expect(try MediaTools.probe(clip.path).streams("data").count == 2)
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path])
        let file = try MediaTools.probe(path)
        let found =
            file.format.tags?["timecode"] ?? file.streams.compactMap { $0.tags?["timecode"] }.first
        #expect(found == "01:02:03:04")
        #expect(file.chapters.map(\.title) == ["Only"])
        #expect(file.streams("video").count == 1 && file.streams("audio").count == 1)
        let session = ExportSession(asset: Asset(path: clip.path), preset: try .named("medium"))
        let plan = try await session.plan()
        let dropped = plan.decisions.filter { $0.subject.hasPrefix("data") }
        #expect(dropped.count == 2)
        #expect(dropped.contains { $0.reason.contains("tmcd") })
    }

    @Test("a cut begins with the timecode of its first picture")
    func movesTimecode() async throws {
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: 0.5, to: 1)
        let (path, _) = try await trial.export([try clip().path], settings: settings)
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        // Fifteen of thirty frames later.
        #expect(stream.tags?["timecode"] == "01:02:03:19")
    }

    @Test("a file's timecode moves with the cut", arguments: ["whole.mkv", "whole.mxf"])
    func movesFileTimecode(name: String) async throws {
        let clip = try Clip.make(
            name,
            Clip.picture(size: "160x96", rate: "25", seconds: 1)
                + ["-c:v", "mpeg2video", "-timecode", "01:02:03:04"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [clip.path], settings: ExportTrial.settings(from: 0.5))
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        #expect(stream.tags?["timecode"] == "01:02:03:16")
    }

    @Test(
        "dropped numbers are dropped again", arguments: [("00:00:59;28", 2), ("00:09:58;10", 50)])
    func countsDropFrame(text: String, frames: Int) async throws {
        let plain = try Clip.make(
            "drop.mov",
            NumberedPictures.source(rate: "30000/1001", seconds: 3)
                + ["-c:v", "libx264", "-timecode", text])
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(from: Double(frames) * 1001 / 30_000)
        let (path, _) = try await trial.export([plain.path], settings: settings)
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        let expected = ["00:00:59;28": "00:01:00;02", "00:09:58;10": "00:10:00;00"][text]
        #expect(stream.tags?["timecode"] == expected)
    }
}
