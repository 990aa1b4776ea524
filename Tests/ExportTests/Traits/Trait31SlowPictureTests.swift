import TakeupExport
import TestSupport
import Testing

@Suite("Trait 31: slow pictures and long gaps between them", .tags(.media))
struct Trait31SlowPictureTests {
    private func clip(_ name: String, rate: String, select: String, seconds: Double) throws -> Clip
    {
        try Clip.make(
            name,
            NumberedPictures.source(rate: rate, seconds: seconds) + Clip.tone(seconds: seconds)
                + ["-vf", "select='\(select)'", "-vsync", "vfr", "-c:v", "libx264", "-bf", "0"]
                + ["-c:a", "aac"])
    }

    static let cases = [
        ("one.mkv", "1", "1", 6.0),
        ("hole.mkv", "10", "lt(n,3)+gt(n,76)", 8.0),
        ("first.mkv", "10", "eq(n,0)+eq(n,79)", 8.0),
    ]

    @Test("every picture keeps its time", arguments: cases)
    func keepsTimes(name: String, rate: String, select: String, seconds: Double) async throws {
        let clip = try clip(name, rate: rate, select: select, seconds: seconds)
        let given = try NumberedPictures.shown(in: clip.path)
        let start = try MediaTools.probe(clip.path).format.start ?? 0
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path])
        let shown = try NumberedPictures.shown(in: path)
        #expect(shown.map(\.number) == given.map(\.number))
        let farthest = zip(shown, given).map { abs($0.time - ($1.time - start)) }.max()
        #expect(try #require(farthest) <= 0.0015)
        // The source carries its encoder's delay as sound, and a full last packet.
        #expect(abs(try Samples(path).seconds - seconds) <= 2 * 1024.0 / 48_000)
        let duration = try #require(try MediaTools.probe(path).streams("video").first?.duration)
        #expect(abs(duration - seconds) <= 1 / (Double(rate) ?? 1) + 0.03)
    }
}
