import TakeupExport
import TestSupport
import Testing

@Suite("Passthrough", .tags(.media))
struct PassthroughTests {
    static let reordered = [
        ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3"],
        ["-c:v", "libx264", "-preset", "fast", "-bf", "8", "-b_strategy", "2", "-g", "30"],
        ["-c:v", "libx265", "-preset", "fast", "-x265-params", "log-level=none:bframes=4"],
    ]

    private func source(_ name: String, _ codec: [String]) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "160x90", rate: "25", seconds: 3) + Clip.tone(seconds: 3) + codec
                + ["-pix_fmt", "yuv420p"])
    }

    /// Expects every picture of a clip in the output, unchanged and as far from the first as before.
    private func expectCopy(of clip: Clip, _ path: String) throws {
        let packets = try MediaTools.packets(path, stream: "v:0")
        let dts = packets.compactMap(\.dtsTicks)
        #expect(dts.count == packets.count && !dts.isEmpty)
        #expect(zip(dts, dts.dropFirst()).allSatisfy { $0 < $1 })
        #expect(packets.allSatisfy { $0.ptsTicks ?? .min >= $0.dtsTicks ?? .max })
        let select = ["-map", "0:v", "-fps_mode", "passthrough"]
        let source = try MediaTools.frameHashes(clip.path, after: select)
        #expect(try MediaTools.frameHashes(path, after: select).map(\.md5) == source.map(\.md5))
        // The times that FFmpeg finds in an AVI are those of decoding.
        guard !clip.path.hasSuffix(".avi") else { return }
        let (before, after) = (try Times.seconds(clip.path), try Times.seconds(path))
        #expect(before.count == after.count)
        for (old, new) in zip(before, after) {
            #expect(abs((old - before[0]) - (new - after[0])) < 0.001)
        }
    }

    @Test("pictures of Matroska keep their order and times", arguments: reordered)
    func matroska(codec: [String]) async throws {
        let clip = try source("reordered.mkv", codec + ["-c:a", "aac"])
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("passthrough")
        let (path, report) = try await trial.export([clip.path], preset: preset)
        #expect(report.frames == 75)
        try expectCopy(of: clip, path)
    }

    @Test("a copy beside sound that is made anew gets the same times")
    func besideSound() async throws {
        let clip = try source("beside.mkv", Self.reordered[0] + ["-c:a", "libopus"])
        var preset = try ExportPreset.named("1280x720")
        preset.video?.maxBitRate = nil
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path], preset: preset)
        try expectCopy(of: clip, path)
    }
}
