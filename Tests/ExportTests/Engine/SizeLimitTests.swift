import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Size limit", .tags(.media))
struct SizeLimitTests {
    private func clip() throws -> Clip {
        try Clip.make(
            "noisy.mp4",
            Clip.picture(size: "320x240", seconds: 2) + Clip.tone(seconds: 2)
                + ["-vf", "noise=alls=40:allf=t", "-c:v", "libx264", "-crf", "18", "-c:a", "aac"])
    }

    @Test("is kept to the byte and used", arguments: [60_000, 123_457, 400_000] as [Int64])
    func keepsLimit(limit: Int64) async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.fileLengthLimit = limit
        let (path, report) = try await trial.export([try clip().path], settings: settings)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
        #expect(try #require(size) == report.bytes)
        #expect(report.bytes <= limit)
        #expect(Double(report.bytes) > Double(limit) * 0.75)
        #expect(try MediaTools.frameCount(path) == 60)
        #expect(abs(try Samples(path).seconds - 2) <= 1024.0 / 48_000)
    }

    @Test("that cannot be reached is refused, and nothing is left")
    func refusesUnreachable() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.fileLengthLimit = 12_000
        let error = try await trial.refusal([try clip().path], settings: settings)
        guard case .sizeLimitUnreachable(let limit, let smallest) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(limit == 12_000 && smallest > limit)
    }
}
