import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 25: sample rate and channels change midway", .tags(.media))
struct Trait25RateChangeTests {
    private func part(_ rate: Int, channels: Int) throws -> Clip {
        try Clip.make(
            "part.aac",
            Clip.tone(sampleRate: rate, seconds: 2)
                + ["-ac", "\(channels)", "-c:a", "aac", "-b:a", "96k"])
    }

    @Test("pitch and length stay", arguments: [(44_100, 48_000), (48_000, 32_000)])
    func keepsPitch(first: Int, second: Int) async throws {
        let parts = [try part(first, channels: 1), try part(second, channels: 2)]
        let clip = try Clip.concatenated("rates.aac", parts)
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [clip.path], preset: try .named("m4a"), to: "out.m4a")
        let samples = try Samples(path)
        #expect(abs(samples.pitch(from: 0.2, to: 1.8) - 440) < 1)
        #expect(abs(samples.pitch(from: 2.3, to: 3.8) - 440) < 1)
        // Each part carries 1,024 samples of its encoder's delay and fills its last packet.
        let packets = try parts.map { try MediaTools.packets($0.path).count }
        let seconds = zip(packets, [first, second]).map { Double($0 * 1024) / Double($1) }
        let expected = seconds.reduce(0, +)
        #expect(abs(samples.seconds - expected) <= 2 * 1024.0 / 44_100)
        let duration = try #require(try MediaTools.probe(path).streams("audio").first?.duration)
        #expect(abs(duration - expected) <= 2 * 1024.0 / 44_100)
    }

    @Test("blocks of a transport stream are not moved by times that were counted at the first rate")
    func keepsBlocks() async throws {
        let parts = try [(48_000, "2"), (44_100, "1")].map { rate, channels in
            try Clip.make(
                "part.ts",
                Clip.picture(size: "160x96", rate: "25", seconds: 2)
                    + Clip.tone(sampleRate: rate, seconds: 2)
                    + ["-c:v", "libx264", "-c:a", "aac", "-ac", channels])
        }
        let clip = try Clip.concatenated("rates.ts", parts)
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(!report.warnings.contains { $0.code == "soundOverlap" })
        let samples = try Samples(path)
        #expect(abs(samples.pitch(from: 2.3, to: 3.8) - 440) < 1)
    }

    @Test(
        "a copy is refused where each frame says its rate, other presets encode",
        arguments: ["ac3", "eac3", "mp2", "mp3"])
    func copies(ending: String) async throws {
        let parts = try [(48_000, "2"), (44_100, "1")].map { rate, channels in
            try Clip.make(
                "part.\(ending)", Clip.tone(sampleRate: rate, seconds: 2) + ["-ac", channels])
        }
        let trial = try ExportTrial()
        for (place, pair) in [parts, parts.reversed()].enumerated() {
            let clip = try Clip.concatenated("rates.\(ending)", pair)
            let error = try await trial.refusal([clip.path], preset: .named("passthrough"))
            guard case .unsupported(_, let reason) = error else {
                Issue.record("\(ending): \(String(describing: error))")
                continue
            }
            #expect(reason.contains("sample rate or channels change midway"))
            let report = try await trial.export([clip.path], to: "\(place).mp4").report
            #expect(report.loss == nil && abs(report.duration.seconds - 4) < 0.3)
        }
        let whole = try await trial.export(
            [parts[0].path], preset: .named("passthrough"), to: "whole.mp4")
        #expect(whole.report.loss == nil)
    }
}
