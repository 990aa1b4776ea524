import Foundation
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Size limit's passes", .tags(.media))
struct SizeLimitPassTests {
    private func clip(sound: Bool) throws -> TestSupport.Clip {
        try TestSupport.Clip.make(
            "noise.mp4",
            TestSupport.Clip.picture(size: "320x240", seconds: 2)
                + (sound ? TestSupport.Clip.tone(seconds: 2) : [])
                + ["-vf", "noise=alls=40:allf=t", "-c:v", "libx264", "-crf", "18", "-c:a", "aac"])
    }

    @Test("durations that no source has do not overflow")
    func absurd() {
        #expect(ExportPlan.whole(.infinity) == 1 << 60)
        #expect(ExportPlan.whole(1e30) == 1 << 60)
        #expect(ExportPlan.whole(-1) == 0 && ExportPlan.whole(12.9) == 12)
    }

    @Test("a limit beyond every need is no matter")
    func generous() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.fileLengthLimit = .max
        let (_, report) = try await trial.export([try clip(sound: true).path], settings: settings)
        #expect(report.frames == 60)
    }

    @Test("an encoder with one pass only is run once")
    func runsOnce() async throws {
        let directory = try TemporaryDirectory()
        var preset = try ExportPreset.named("av1-1920x1080")
        preset.video?.speed = "12"
        var settings = ExportSettings()
        settings.fileLengthLimit = 300_000
        let session = ExportSession(
            asset: Asset(path: try clip(sound: false).path), preset: preset, settings: settings)
        let states = session.states(updateInterval: .zero)
        let phases = Task {
            var found: [ExportPhase] = []
            for await case .exporting(let progress) in states where progress.fraction > 0 {
                found.append(progress.phase)
            }
            return found
        }
        _ = try await session.export(to: directory.file("out.mp4"))
        let found = await phases.value
        #expect(found.contains(.encode) && !found.contains(.analyse))
    }
}
