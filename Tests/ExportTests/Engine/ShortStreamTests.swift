import TakeupExport
import TestSupport
import Testing

@Suite("Streams of one or two pictures", .tags(.media))
struct ShortStreamTests {
    /// x265 returns random decoding times for them.
    private static let runs = 20

    @Test("HEVC of them succeeds on every run", arguments: [1, 2])
    func short(pictures: Int) async throws {
        let clip = try Clip.make(
            "short.mkv",
            Clip.picture(size: "320x180", rate: "25", seconds: 1)
                + ["-frames:v", "\(pictures)", "-c:v", "ffv1"])
        let trial = try ExportTrial()
        for run in 0..<Self.runs {
            let (path, _) = try await trial.export(
                [clip.path], preset: ExportTrial.preset("hevc-1920x1080"), to: "\(run).mp4")
            let packets = try MediaTools.packets(path, stream: "v:0")
            #expect(packets.count == pictures)
            #expect(packets.allSatisfy { $0.dtsTicks == $0.ptsTicks })
        }
    }

    @Test("so does a cut of one picture")
    func cut() async throws {
        let clip = try Clip.make(
            "long.mkv", Clip.picture(size: "320x180", rate: "25", seconds: 1) + ["-c:v", "ffv1"])
        let trial = try ExportTrial()
        for run in 0..<Self.runs {
            let (path, _) = try await trial.export(
                [clip.path], preset: ExportTrial.preset("hevc-1920x1080"),
                settings: ExportTrial.settings(from: 0.4, to: 0.44), to: "\(run).mp4")
            #expect(try MediaTools.packets(path, stream: "v:0").count == 1)
        }
    }
}
