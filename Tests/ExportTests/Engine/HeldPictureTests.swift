import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Copied cuts that end within a held picture", .tags(.media))
struct HeldPictureTests {
    /// Pictures of two seconds, the last of which is shown for six more.
    private static func clip(_ name: String, _ options: [String]) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "160x96", rate: "25", seconds: 10) + Clip.tone(seconds: 10) + [
                "-vf", "select='lt(n,50)+gt(n,200)'", "-fps_mode", "vfr", "-c:v", "libx264",
                "-preset", "veryfast", "-g", "30", "-c:a", "aac",
            ] + options)
    }

    @Test(
        "show it up to their end", arguments: ["held.mkv", "held.flv", "held.mp4", "held.mov"],
        ["0", "3"])
    func lasts(name: String, reordered: String) async throws {
        let source = try Self.clip(name, ["-bf", reordered])
        for (start, end) in [(0, 5.6), (1.2, 7.0), (0, 1.0)] {
            let trial = try ExportTrial()
            let (path, report) = try await trial.export(
                [source.path], preset: .named("passthrough"),
                settings: ExportTrial.settings(from: start, to: end))
            #expect(report.loss == nil)
            let video = try #require(
                try MediaTools.probe(path).streams.first { $0.type == "video" })
            let length = try #require(video.duration)
            #expect(abs(length - (end - start)) < 0.05, "\(start) to \(end): \(length)")
        }
    }

    @Test("a source that ends before the cut is not made longer")
    func ends() async throws {
        let source = try Self.clip("short.mkv", ["-bf", "0", "-t", "2"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [source.path], preset: .named("passthrough"),
            settings: ExportTrial.settings(from: 0, to: 5))
        let video = try #require(try MediaTools.probe(path).streams("video").first)
        #expect(abs(try #require(video.duration) - 2) < 0.05)
    }
}
