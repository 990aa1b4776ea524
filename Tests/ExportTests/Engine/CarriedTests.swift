import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Poster and metadata", .tags(.media))
struct CarriedTests {
    private func clip() throws -> Clip {
        let tags = ["title=Zuhause", "artist=A. Person", "comment=as it was", "date=2024-05-06"]
        return try Clip.make(
            "tagged.mp4",
            NumberedPictures.source(seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-c:a", "aac"] + tags.flatMap { ["-metadata", $0] })
    }

    @Test("the poster is a JPEG of an early picture, of the output's size")
    func writesPoster() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.posterPath = trial.file("poster.jpg")
        let (_, report) = try await trial.export([try clip().path], settings: settings)
        let poster = try #require(report.poster)
        #expect(poster == trial.file("poster.jpg"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: poster))
        #expect(bytes.starts(with: [0xff, 0xd8, 0xff]))
        let stream = try #require(try MediaTools.probe(poster).streams("video").first)
        #expect(stream.codec == "mjpeg" && stream.width == 160 && stream.height == 96)
        let number = try #require(try NumberedPictures.numbers(in: poster).first)
        #expect((0..<60).contains(number))
        #expect(try trial.names() == ["out.mp4", "poster.jpg"])
    }

    @Test("metadata is carried, added, replaced and removed")
    func carriesMetadata() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.metadata = ["title": "Neu ✓", "genre": "Home", "comment": ""]
        let (path, _) = try await trial.export([try clip().path], settings: settings)
        let tags = try #require(try MediaTools.probe(path).format.tags)
        #expect(tags["title"] == "Neu ✓" && tags["genre"] == "Home")
        #expect(tags["artist"] == "A. Person" && tags["date"] == "2024-05-06")
        #expect(tags["comment"] == nil)
        let general = try MediaTools.mediaInfo(path).first { $0.type == "General" }
        #expect(general?["Title"] == "Neu ✓")
    }

    @Test("stripped means that nothing of the source's words is in the file")
    func stripsMetadata() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.stripsMetadata = true
        settings.metadata = ["title": "Kept"]
        let (path, _) = try await trial.export([try clip().path], settings: settings)
        let tags = try #require(try MediaTools.probe(path).format.tags)
        #expect(tags["title"] == "Kept" && tags["artist"] == nil)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for word in ["Zuhause", "A. Person", "as it was"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil)
        }
    }
}
