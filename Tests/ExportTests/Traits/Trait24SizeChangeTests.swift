import TakeupExport
import TestSupport
import Testing

@Suite("Trait 24: picture size changes midway", .tags(.media))
struct Trait24SizeChangeTests {
    private func part(_ name: String, size: String, first: Int, offset: String) throws -> Clip {
        try Clip.make(
            name,
            NumberedPictures.source(size: size, seconds: 1, first: first)
                + ["-c:v", "libx264", "-bf", "2", "-output_ts_offset", offset])
    }

    @Test("no picture is lost and the first size holds", arguments: ["0", "1.0666667"])
    func keepsAllPictures(offset: String) async throws {
        let clip = try Clip.concatenated(
            "sizes.ts",
            [
                try part("a.ts", size: "320x240", first: 0, offset: "0"),
                try part("b.ts", size: "160x96", first: 30, offset: offset),
            ])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.frames == 60)
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<60))
        let stream = try #require(try MediaTools.probe(path).streams("video").first)
        #expect(stream.width == 320 && stream.height == 240)
        #expect(abs((stream.duration ?? 0) - 2) <= 1.0 / 30)
        let times = try NumberedPictures.shown(in: path).map(\.time)
        let farthest = times.enumerated().map { abs($1 - Double($0) / 30) }.max()
        #expect(try #require(farthest) <= 1.0 / 90_000 + 1e-6)
    }
}
