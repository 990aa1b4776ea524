import TakeupExport
import TestSupport
import Testing

@Suite("Trait 20: cover pictures", .tags(.media))
struct Trait20CoverTests {
    private func cover() throws -> Clip {
        try Clip.make(
            "cover.jpg",
            Clip.picture(size: "160x120", seconds: 0.1)
                + ["-vf", "scale=121:91", "-frames:v", "1", "-update", "1"])
    }

    private func song() throws -> Clip {
        try Clip.make(
            "song.m4a",
            Clip.tone(seconds: 1) + ["-i", try cover().path, "-map", "0", "-map", "1"]
                + ["-c:a", "aac", "-c:v", "copy", "-disposition:v", "attached_pic"])
    }

    private func film() throws -> Clip {
        try Clip.make(
            "film.mp4",
            NumberedPictures.source(seconds: 1) + Clip.tone(seconds: 1)
                + ["-i", try cover().path, "-map", "0", "-map", "1", "-map", "2"]
                + ["-c:v:0", "libx264", "-c:a", "aac", "-c:v:1", "copy"]
                + ["-disposition:v:1", "attached_pic"])
    }

    private func requireOneCover(_ path: String) throws {
        let pictures = try MediaTools.probe(path).streams("video")
            .filter { $0.disposition?["attached_pic"] == 1 }
        #expect(pictures.count == 1)
        let stream = try #require(pictures.first)
        #expect(stream.codec == "mjpeg" && stream.width == 121 && stream.height == 91)
        let kept = try MediaTools.frameHashes(path, after: ["-map", "0:\(stream.index)"])
        let given = try MediaTools.frameHashes(try cover().path)
        #expect(kept.map(\.md5) == given.map(\.md5))
    }

    @Test("a song keeps it once and gets no video", arguments: ["medium", "m4a", "passthrough"])
    func keepsCoverOfSong(preset: String) async throws {
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [try song().path], preset: try ExportTrial.preset(preset), to: "out.m4a")
        try requireOneCover(path)
        #expect(try MediaTools.probe(path).streams.count == 2)
    }

    @Test("a film keeps it beside its one video")
    func keepsCoverOfFilm() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.copy = .never
        let (path, report) = try await trial.export([try film().path], settings: settings)
        try requireOneCover(path)
        #expect(report.frames == 30)
        #expect(try MediaTools.probe(path).streams.count == 3)
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<30))
    }
}
