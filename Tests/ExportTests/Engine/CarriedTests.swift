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

    @Test("the poster is what its name says", arguments: ["p.PNG", "p.jpeg"])
    func writesByName(name: String) async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.posterPath = trial.file(name)
        let (path, report) = try await trial.export([try clip().path], settings: settings)
        let poster = try #require(report.poster)
        let stream = try #require(try MediaTools.probe(poster).streams("video").first)
        #expect(stream.codec == (name == "p.PNG" ? "png" : "mjpeg"))
        #expect(stream.width == 160 && stream.height == 96)
        let shown = try #require(try NumberedPictures.numbers(in: poster).first)
        #expect((0..<60).contains(shown))
        let size = ["-vf", "scale=8:8,format=gray", "-frames:v", "1"]
        let colours = try [poster, path].map { file in
            try Subprocess.run(
                "ffmpeg",
                ["-v", "error", "-i", file] + size + ["-f", "rawvideo", "-"]
            ).requireSuccess().standardOutput
        }
        let distances = zip(colours[0], colours[1]).map { abs(Int($0) - Int($1)) }
        #expect(distances.reduce(0, +) / max(1, distances.count) < 12)
    }

    @Test("every key that is accepted arrives in the file")
    func carriesKeys() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        let odd = [
            "creation_time": "2024-05-06T07:08:09Z", "location": "+48.1372+011.5756/",
            "timecode": "01:00:00:00",
        ]
        settings.metadata = Dictionary(
            uniqueKeysWithValues: MetadataField.keys.map { ($0, odd[$0] ?? "7") })
        #expect(settings.metadata.allSatisfy { MetadataField.fault($0.key, $0.value) == nil })
        let (path, report) = try await trial.export([try clip().path], settings: settings)
        #expect(report.warnings == [])
        let probed = try MediaTools.probe(path)
        let tags = try #require(probed.format.tags)
        for (key, value) in settings.metadata {
            let found = tags[key] ?? probed.streams("video").first?.tags?[key]
            #expect(found?.hasPrefix(value.prefix(19)) == true, "\(key): \(found ?? "nothing")")
        }
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
