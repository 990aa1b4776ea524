import Foundation
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

/// What `ffmpeg -af ebur128=peak=true` says of a file's sound.
struct JudgedLoudness {
    let integrated: Double
    let truePeak: Double

    init(_ path: String, stream: Int = 0) throws {
        let outcome = try Subprocess.run(
            "ffmpeg",
            [
                "-nostdin", "-hide_banner", "-i", path, "-map", "0:a:\(stream)", "-af",
                "ebur128=peak=true:framelog=verbose", "-f", "null", "-",
            ], timeoutSeconds: 120)
        let text = try outcome.requireSuccess().errorText
        let summary = try #require(text.components(separatedBy: "Summary:").last)
        func number(_ name: String) throws -> Double {
            let rest = try #require(summary.components(separatedBy: "\(name):").dropFirst().first)
            let word = try #require(rest.split(whereSeparator: \.isWhitespace).first)
            return try #require(Double(word))
        }
        integrated = try number("I")
        truePeak = try number("Peak")
    }
}

@Suite("Exports to a loudness", .tags(.media))
struct LoudnessTests {
    /// A murmur, with loud clicks where `clicks` is more than 0.
    private func speech(
        _ name: String, level: Double, clicks: Double = 0, seconds: Double = 6
    ) throws -> String {
        try MixFixture.sound(
            name,
            "\(level)*sin(2*PI*310*t)*(0.6+0.4*sin(2*PI*2.3*t))"
                + "+\(clicks)*lt(mod(t,0.7),0.004)*sin(2*PI*1000*t)", seconds)
    }

    private func preset(
        _ target: Double, ceiling: Double = -1, _ name: String = "m4a"
    ) throws -> ExportPreset {
        try ExportPreset.named(name).setting([
            PresetChange("audio.loudness", "\(target)"),
            PresetChange("audio.truePeak", "\(ceiling)"),
        ])
    }

    private func expect(
        _ report: ExportReport, _ target: Double, ceiling: Double = -1,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try JudgedLoudness(report.output)
        #expect(abs(found.integrated - target) <= 0.5, "\(found)", sourceLocation: location)
        #expect(found.truePeak <= ceiling, "\(found)", sourceLocation: location)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var level: Double
        var clicks = 0.0
        let target: Double
        var ceiling = -1.0
        var warnings: [String] = []
    }

    static let cases = [
        Case(testDescription: "soft sound", level: 0.02, target: -16),
        Case(testDescription: "loud sound", level: 0.9, target: -23),
        Case(
            testDescription: "peaks that need a limiter", level: 0.12, clicks: 0.5, target: -16,
            warnings: ["loudnessLimited"]),
        Case(
            testDescription: "a low ceiling", level: 0.3, clicks: 0.6, target: -14, ceiling: -3,
            warnings: ["loudnessLimited"]),
    ]

    @Test("single sounds come out as loud as asked, with peaks under the ceiling", arguments: cases)
    func single(item: Case) async throws {
        let trial = try ExportTrial()
        let source = try speech(
            "s\(item.level)-\(item.clicks).wav", level: item.level, clicks: item.clicks)
        let (_, report) = try await trial.export(
            [source], preset: preset(item.target, ceiling: item.ceiling), to: "out.m4a")
        try expect(report, item.target, ceiling: item.ceiling)
        #expect(report.warnings.map(\.code) == item.warnings)
    }

    @Test("the gain is one for all of the sound: nothing is evened out")
    func constant() async throws {
        let trial = try ExportTrial()
        let source = try MixFixture.sound(
            "steps.wav", "(0.02+0.08*gte(t,2))*sin(2*PI*440*t)", 4)
        let (path, _) = try await trial.export([source], preset: preset(-20), to: "out.m4a")
        let (before, after) = (try Sound(source), try Sound(path))
        let gains = [0.5, 1.5, 2.5, 3.5].map {
            after.amplitude(of: 440, in: 0, from: $0) / before.amplitude(of: 440, in: 0, from: $0)
        }
        #expect(gains.allSatisfy { abs($0 / gains[0] - 1) < 0.03 }, "\(gains)")
    }

    @Test("a join and a mix are measured as a whole, also of pictures, also over their limits")
    func joins() async throws {
        let (soft, loud) = (
            try speech("soft.wav", level: 0.05, seconds: 3),
            try speech("loud.wav", level: 0.5, clicks: 0.4, seconds: 3)
        )
        let trial = try ExportTrial()
        let (_, joined) = try await trial.export(
            [soft, loud], preset: preset(-18), to: "joined.m4a")
        try expect(joined, -18)
        // The sum is beyond full scale before the gain.
        let mixed = try await MixFixture.export(
            [
                .init(.audio, [loud]),
                .init(.audio, segments: [.init(source: loud)], volume: Volume(2)),
            ], in: trial, preset: preset(-16), to: "mixed.m4a")
        try expect(mixed, -16)
        #expect(!mixed.warnings.contains { $0.code == "mixLimited" })
        let film = try await MixFixture.export(
            [
                .init(.all, [try MixFixture.film(seconds: 3)]),
                .init(.audio, segments: [.init(source: soft)], volume: Volume(0.5)),
            ], in: trial, preset: preset(-23, "low"), to: "film.mp4")
        try expect(film, -23)
    }

    @Test("sound that is as loud as asked is copied, other sound is not, and the plan says why")
    func copies() async throws {
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [try speech("copy.wav", level: 0.1)], preset: preset(-20), to: "made.m4a")
        for (target, isCopied) in [(-20.3, true), (-22.0, false)] {
            let plan = try await ExportSession(
                asset: Asset(path: path), preset: preset(target)
            ).plan()
            #expect((plan.audio[0].mode == .copy) == isCopied)
            #expect(plan.audio[0].loudness != nil, "for a size limit, which has it encoded")
            let decision = plan.decisions.first { $0.subject == "audio loudness" }
            #expect(
                decision?.choice.contains(isCopied ? "as it is" : "-") == true,
                "\(plan)")
            if !isCopied { #expect(plan.audio[0].reason.code == .loudness) }
        }
        var never = ExportSettings()
        never.copy = .never
        let (_, encoded) = try await trial.export(
            [path], preset: preset(-20.3), settings: never, to: "again.m4a")
        try expect(encoded, -20.3)
    }

    @Test("silence and sound of 0.3 s keep their levels, and that is told")
    func unmeasured() async throws {
        let trial = try ExportTrial()
        let silence = try MixFixture.sound("silence.wav", "0", 2)
        let short = try MixFixture.tone("short.wav", 1000, 0.3, level: 0.2)
        for (source, level) in [(silence, 0.0), (short, 0.2)] {
            let (path, report) = try await trial.export(
                [source], preset: preset(-16), to: "out\(level).m4a")
            #expect(report.warnings.map(\.code) == ["loudnessUnmeasured"])
            #expect(abs(try Sound(path).amplitude(of: 1000, in: 0, from: 0.05) - level) < 0.02)
        }
    }

    @Test("a range is measured alone, and a cancelled measurement ends")
    func rangeAndEnd() async throws {
        let trial = try ExportTrial()
        let source = try MixFixture.sound(
            "rise.wav", "(0.01+0.3*gte(t,3))*sin(2*PI*440*t)", 6)
        let (_, report) = try await trial.export(
            [source], preset: preset(-20), settings: ExportTrial.settings(from: 0.5, to: 2.5),
            to: "range.m4a")
        try expect(report, -20)
        let session = ExportSession(asset: Asset(path: source), preset: try preset(-20))
        session.cancel()
        await #expect(throws: ExportError.cancelled) {
            try await session.export(to: trial.file("never.m4a"))
        }
        #expect(!(try trial.names().contains("never.m4a")))
    }

    @Test("a size limit that lowers the sound keeps its loudness")
    func sizeLimit() async throws {
        let trial = try ExportTrial()
        let source = try MixFixture.sound(
            "noise.wav", "0.2*(2*random(0)-1)*(0.6+0.4*sin(2*PI*2.3*t))", 6)
        var settings = ExportSettings()
        settings.fileLengthLimit = 40_000
        let (_, report) = try await trial.export(
            [source], preset: preset(-16), settings: settings, to: "out.m4a")
        #expect(report.warnings.contains { $0.code == "soundLowered" })
        try expect(report, -16)
        // Also of sound that would be copied without the limit.
        let made = try await trial.export([source], preset: preset(-16), to: "made.m4a").0
        settings.fileLengthLimit = 30_000
        let (_, again) = try await trial.export(
            [made], preset: preset(-16.4), settings: settings, to: "again.m4a")
        #expect(again.warnings.contains { $0.code == "soundLowered" })
        try expect(again, -16.4)
    }

    @Test("silence that meets the preset is copied, as the warning says")
    func silence() async throws {
        let trial = try ExportTrial()
        let source = try MixFixture.sound("nothing.wav", "0", 2)
        let made = try await trial.export(
            [source], preset: ExportPreset.named("m4a"), to: "made.m4a"
        ).0
        let (path, report) = try await trial.export([made], preset: preset(-16), to: "out.m4a")
        #expect(report.warnings.map(\.code) == ["loudnessUnmeasured"])
        #expect(try MediaTools.packets(path).count == MediaTools.packets(made).count)
    }

    @Test("a warning says the loudness that the sound has, not what was foreseen")
    func measured() async throws {
        let trial = try ExportTrial()
        let source = try speech("peaky.wav", level: 0.02, clicks: 0.9)
        let (_, report) = try await trial.export([source], preset: preset(-6), to: "out.m4a")
        let found = try JudgedLoudness(report.output).integrated
        let warning = try #require(report.warnings.first { $0.code == "loudnessMissed" })
        let told = try #require(Double(warning.message.split(separator: " ")[3]))
        #expect(abs(told - found) <= 0.3, "\(warning.message); it has \(found)")
        #expect(report.warnings.count { $0.code == "loudnessMissed" } == 1)
    }
}
