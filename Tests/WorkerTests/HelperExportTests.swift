import Foundation
import TakeupExport
import TakeupProcess
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Export helper")
struct HelperExportTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let preset: String
        var speed = "ultrafast"
        var limit: Int64?
        var source: @Sendable () throws -> String = { try Clip.base(seconds: 1).path }
    }

    static let kinds: [Kind] = [
        Kind(testDescription: "H.264 and AAC", preset: "medium"),
        Kind(testDescription: "copy", preset: "passthrough"),
        Kind(testDescription: "copy of two parts", preset: "passthrough") {
            let part = try Clip.base(seconds: 1)
            return try Clip.concatenated("parts.mp4", [part, part]).path
        },
        Kind(testDescription: "sound alone", preset: "m4a"),
        Kind(testDescription: "two passes", preset: "medium", limit: 120_000),
        Kind(testDescription: "two passes of HEVC", preset: "hevc-1920x1080", limit: 120_000),
        Kind(testDescription: "HEVC", preset: "hevc-1920x1080"),
        Kind(testDescription: "HEVC, 10 bit", preset: "hevc-highest") {
            try Clip.make(
                "deep.mkv",
                Clip.picture(size: "320x240", seconds: 1) + [
                    "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le",
                    "-x265-params", "log-level=error",
                ]
            ).path
        },
        Kind(testDescription: "AV1", preset: "av1-1920x1080", speed: "12"),
        Kind(testDescription: "tone mapping", preset: "medium") {
            try Clip.make(
                "hdr.mkv",
                Clip.picture(size: "320x240", seconds: 1) + [
                    "-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le",
                    "-color_primaries", "bt2020", "-color_trc", "smpte2084",
                    "-colorspace", "bt2020nc", "-x265-params", "log-level=error",
                ]
            ).path
        },
        Kind(testDescription: "deinterlacing", preset: "medium") {
            try Clip.make(
                "fields.ts",
                Clip.picture(size: "720x576", rate: "50", seconds: 1) + [
                    "-vf", "interlace", "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-b:v", "4M",
                ]
            ).path
        },
    ]

    @Test("writes what an export in this process writes, from within the seal", arguments: kinds)
    func sameBytes(kind: Kind) async throws {
        let trial = try HelperTrial()
        let source = try kind.source()
        let preset = try HelperTrial.preset(kind.preset, speed: kind.speed)
        var settings = ExportSettings()
        settings.fileLengthLimit = kind.limit
        settings.verification = .full
        let direct = try await trial.direct(source, preset: preset, settings: settings)
        var events: [HelperEvent] = []
        let run = try trial.run(
            source, preset: preset, settings: settings, onEvent: { events.append($0) })
        let report = try #require(run.outcome.report, "\(run.outcome) \(run.log)")
        #expect(report.sha256 == direct.sha256)
        #expect(report.warnings == direct.warnings)
        #expect(
            try Data(contentsOf: URL(filePath: trial.output))
                == Data(contentsOf: URL(filePath: direct.output)))
        let plan = try #require(
            events.compactMap { if case .planned(let plan) = $0 { plan } else { nil } }.first)
        #expect(plan.estimatedBytes.map { $0 > report.bytes / 4 } ?? true)
        #expect(events.count > 1)
        #expect(run.unexpectedGaps == [])
    }

    @Test("subtitles go along, and a range is exact to the frame")
    func subtitlesAndRange() async throws {
        let trial = try HelperTrial()
        let text = try trial.directory.write(
            Data("1\n00:00:00,100 --> 00:00:00,900\nGrüße\n".utf8), to: "text.srt")
        let source = trial.directory.file("subtitled.mkv")
        let made = try Subprocess.run(
            "ffmpeg",
            [
                "-loglevel", "error", "-i", try Clip.base(seconds: 2).path, "-i", text, "-map", "0",
                "-map", "1", "-c", "copy", source,
            ], timeoutSeconds: 60)
        _ = try made.requireSuccess()
        var settings = ExportSettings()
        settings.timeRange = TimeRange(
            start: MediaTime(value: 1, timescale: 3), duration: MediaTime(value: 2, timescale: 3))
        let direct = try await trial.direct(source, settings: settings)
        let run = try trial.run(source, settings: settings)
        #expect(run.outcome.report?.sha256 == direct.sha256)
        #expect(run.outcome.report != nil)
    }

    @Test("ten exports take one process, and nothing is left beside them")
    func reuse() throws {
        let trial = try HelperTrial()
        let source = try Clip.base(seconds: 1).path
        var pids: Set<Int32> = []
        var digests: Set<String?> = []
        for _ in 0..<10 {
            digests.insert(try trial.run(source).outcome.report?.sha256)
            pids.insert(try #require(trial.helper.pid))
        }
        #expect(pids.count == 1)
        #expect(digests.count == 1 && !digests.contains(nil))
        trial.helper.stop()
        #expect(trial.helper.pid == nil)
        #expect(try trial.directory.names() == ["out.mp4"])
    }

    @Test("a helper is replaced after many exports, and after it was killed between two")
    func replaced() throws {
        let trial = try HelperTrial { $0.mostExports = 2 }
        let source = try Clip.base(seconds: 1).path
        #expect(try trial.run(source).outcome.report != nil)
        let first = try #require(trial.helper.pid)
        #expect(try trial.run(source).outcome.report != nil)
        #expect(trial.helper.pid == nil)
        #expect(try trial.run(source).outcome.report != nil)
        let second = try #require(trial.helper.pid)
        #expect(second != first)
        kill(second, SIGKILL)
        while kill(second, 0) == 0, !isDead(second) { usleep(1000) }
        #expect(try trial.run(source).outcome.report != nil)
    }

    private func isDead(_ pid: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.contains(") Z ")
            ?? true
    }

    @Test("a source that is no media fails as it does elsewhere, and the helper goes on")
    func hostile() throws {
        let trial = try HelperTrial()
        let playlist = try trial.directory.write(
            Data("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8), to: "evil.mp4")
        guard case .failed(let failure) = try trial.run(playlist).outcome else {
            Issue.record("no failure")
            return
        }
        #expect(failure.report.code == "notMedia" && failure.report.exitCode == .notMedia)
        let pid = trial.helper.pid
        var clip = try Clip.base(seconds: 1).bytes()
        for place in stride(from: 3000, to: clip.count, by: 97) { clip[place] ^= 0x5A }
        let broken = try trial.directory.write(clip, to: "broken.mp4")
        let run = try trial.run(broken)
        #expect(run.outcome.failure != nil)
        #expect(!run.log.isEmpty && run.log.utf8.count <= 66_000)
        #expect(trial.helper.pid == pid)
    }
}
