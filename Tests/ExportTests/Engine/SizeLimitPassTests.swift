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

    @Test("a limit that leaves too little is refused with what would do, before the pictures")
    func refusesEarly() async throws {
        let trial = try ExportTrial()
        var settings = ExportSettings()
        settings.fileLengthLimit = 5_000
        let source = try clip(sound: true).path
        guard
            case .sizeLimitUnreachable(_, let smallest) = try await trial.refusal(
                [source], settings: settings)
        else {
            Issue.record("5,000 bytes were enough")
            return
        }
        // Some bytes are left for the pictures, but not 10 kb/s.
        settings.fileLengthLimit = smallest - 1_000
        let error = try await trial.refusal([source], settings: settings)
        #expect(error == .sizeLimitUnreachable(limit: smallest - 1_000, smallest: smallest))
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
