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

    @Test(
        "decides where the quality takes more: kept to the byte, and used", arguments: [15, 35, 80])
    func keepsLimit(percent: Int64) async throws {
        let trial = try ExportTrial()
        let source = try clip().path
        let (_, free) = try await trial.export([source], to: "free.mp4")
        let limit = free.bytes * percent / 100
        var settings = ExportSettings()
        settings.fileLengthLimit = limit
        let (path, report) = try await trial.export([source], settings: settings)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
        #expect(try #require(size) == report.bytes)
        #expect(report.bytes <= limit)
        #expect(Double(report.bytes) > Double(limit) * 0.75)
        #expect(try MediaTools.frameCount(path) == 60)
        #expect(abs(try Samples(path).seconds - 2) <= 1024.0 / 48_000)
    }

    @Test("changes nothing where the preset's quality stays within", arguments: [110, 4_000])
    func leavesQuality(percent: Int64) async throws {
        let trial = try ExportTrial()
        let source = try clip().path
        let (_, free) = try await trial.export([source], to: "free.mp4")
        var settings = ExportSettings()
        settings.fileLengthLimit = free.bytes * percent / 100
        let (path, report) = try await trial.export([source], settings: settings)
        // x264 on several threads, with a cap, spends a few bytes more or less each time.
        #expect(abs(report.bytes - free.bytes) < free.bytes / 50)
        #expect(try MediaTools.frameCount(path) == 60)
    }

    @Test("leaves alone what may be copied and is below it")
    func copies() async throws {
        let clip = try Clip.make(
            "good.mp4",
            Clip.picture(size: "320x240", seconds: 2) + Clip.tone(seconds: 2) + [
                "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "96k",
                "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
            ])
        var settings = ExportSettings()
        for (limit, isCopied) in [(25_000_000, true), (40_000, false)] as [(Int64, Bool)] {
            settings.fileLengthLimit = limit
            let session = ExportSession(
                asset: Asset(path: clip.path), preset: try .named("highest"), settings: settings)
            let plan = try await session.plan()
            #expect((plan.video?.mode == .copy) == isCopied, "\(limit): \(plan)")
        }
    }

    /// What a limit out of reach names as the smallest.
    private func smallest(_ limit: Int64, _ preset: ExportPreset) async throws -> Int64 {
        var settings = ExportSettings()
        settings.fileLengthLimit = limit
        let error = try await ExportTrial().refusal(
            [try clip().path], preset: preset, settings: settings)
        guard case .sizeLimitUnreachable(limit, let smallest) = error else {
            Issue.record("\(String(describing: error))")
            return 0
        }
        return smallest
    }

    @Test(
        "what is named as the smallest is the same for every limit below it, and does fit",
        arguments: ["medium", "hevc-1920x1080", "av1-1920x1080"])
    func namesFloor(name: String) async throws {
        var preset = try ExportPreset.named(name)
        preset.video?.speed = name.hasPrefix("av1") ? "12" : "ultrafast"
        let floor = try await smallest(3_000, preset)
        #expect(floor > 3_000)
        #expect(try await smallest(floor - 1, preset) == floor)
        let trial = try ExportTrial()
        var settings = ExportSettings()
        for limit in [floor, floor + floor / 10] {
            settings.fileLengthLimit = limit
            settings.overwrite = .replace
            let (path, report) = try await trial.export(
                [try clip().path], preset: preset, settings: settings)
            #expect(report.bytes <= limit)
            #expect(report.warnings.contains { $0.code == "soundLowered" })
            #expect(try MediaTools.frameCount(path) == 60)
        }
        #expect(try await smallest(floor - 1, preset) == floor)
    }

    @Test("sound alone has a lower rate where the limit leaves no more")
    func lowersSound() async throws {
        let clip = try Clip.make(
            "loud.wav",
            ["-f", "lavfi", "-i", "anoisesrc=sample_rate=48000:duration=4:seed=1", "-ac", "2"])
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("m4a")
        let (_, free) = try await trial.export([clip.path], preset: preset, to: "free.m4a")
        var settings = ExportSettings()
        settings.fileLengthLimit = free.bytes / 2
        let (_, report) = try await trial.export(
            [clip.path], preset: preset, settings: settings, to: "out.m4a")
        #expect(report.bytes <= free.bytes / 2)
        #expect(report.warnings.map(\.code) == ["soundLowered"])
    }

    @Test("that nothing can keep is refused alike before and without rendering")
    func refusesBeforehand() async throws {
        var settings = ExportSettings()
        settings.fileLengthLimit = 100
        let session = ExportSession(
            asset: Asset(path: try clip().path), preset: try .named("highest"), settings: settings)
        var foreseen: ExportError?
        do throws(ExportError) {
            _ = try await session.forecast(to: nil)
        } catch {
            foreseen = error
        }
        let refusal = try await ExportTrial().refusal(
            [try clip().path], preset: .named("highest"), settings: settings)
        guard case .sizeLimitTooLow(100, let least) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(foreseen == refusal && least > 100)
    }

    @Test("that only still pictures may keep is told before, and tried")
    func warnsOfLowLimit() async throws {
        let clip = try Clip.make(
            "still.mp4",
            ["-f", "lavfi", "-i", "color=black:size=64x64:rate=25:duration=30"]
                + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-b:v", "200k"])
        var settings = ExportSettings()
        (settings.fileLengthLimit, settings.copy) = (30_000, .never)
        let session = ExportSession(
            asset: Asset(path: clip.path), preset: try .named("medium"), settings: settings)
        let warnings = try await session.forecast(to: nil).plan.warnings
        #expect(warnings.map(\.code) == ["limitTooLow"])
        let (_, report) = try await ExportTrial().export([clip.path], settings: settings)
        #expect(report.bytes <= 30_000 && report.warnings.isEmpty)
    }
}
