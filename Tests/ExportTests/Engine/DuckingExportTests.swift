import Foundation
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Exports with ducking", .tags(.media))
struct DuckingExportTests {
    /// Words of 440 Hz from 1 to 2 s, and from 4 to 4.5 s.
    private func speech() throws -> String {
        try MixFixture.sound(
            "words.wav", "0.3*sin(2*PI*440*t)*(between(t,1,2)+between(t,4,4.5))", 6)
    }

    private func tracks(_ duck: Ducking, speechVolume: Volume? = nil) throws
        -> [Composition.Track]
    {
        [
            .init(
                .audio, segments: [.init(source: try speech())], volume: speechVolume),
            .init(
                .audio,
                segments: [.init(source: try MixFixture.tone("music.wav", 1000, 6, level: 0.2))],
                volume: Volume(0.5), duck: duck),
        ]
    }

    private func music(_ report: ExportReport, at seconds: [Double]) throws -> [Double] {
        let sound = try Sound(report.output)
        return seconds.map { sound.amplitude(of: 1000, in: 0, from: $0) / 0.1 }
    }

    @Test("music is low while words are heard, before their first sample, and up again after")
    func levels() async throws {
        let trial = try ExportTrial()
        let duck = Ducking(under: 0, to: 0.25, attack: 0.2, release: 0.5)
        let report = try await MixFixture.export(
            tracks(duck), in: trial, preset: ExportPreset.named("m4a"), to: "out.m4a")
        // Each amplitude is that of 0.2 s.
        let wanted = [
            (0.5, 1.0), (0.8, 0.625), (1, 0.25), (1.7, 0.25), (2.15, 0.625), (2.6, 1), (3.5, 1),
            (4.2, 0.25), (5.2, 1),
        ]
        let found = try music(report, at: wanted.map(\.0))
        for (level, (time, wanted)) in zip(found, wanted) {
            #expect(abs(level - wanted) < 0.04, "\(time): \(level) instead of \(wanted)")
        }
        #expect(try Sound(report.output).amplitude(of: 440, in: 0, from: 1.4) > 0.28)
    }

    @Test("the plan says how often, and it is the same every time")
    func plan() async throws {
        let request = ExportRequest(
            Composition(tracks: try tracks(Ducking(under: 0))),
            preset: try ExportPreset.named("m4a"))
        let plans = [
            try await ExportSession(request).plan(), try await ExportSession(request).plan(),
        ]
        #expect(plans[0] == plans[1])
        let ramps = try #require(plans[0].audio[0].mix?[1].ducking?.ramps)
        #expect(ramps.map(\.start.seconds) == [0.8, 2, 3.8, 4.5])
        #expect(plans[0].description.contains("ducking: track 2 is lowered 2 times"))
        #expect(plans[0].audio[0].mix?[0].ducking == nil)
    }

    @Test("words below the threshold, or at no volume, lower nothing")
    func unheard() async throws {
        let trial = try ExportTrial()
        let cases: [(Ducking, Volume?)] = [
            (Ducking(under: 0, threshold: 0.5), nil), (Ducking(under: 0), Volume(0)),
        ]
        for (number, (duck, volume)) in cases.enumerated() {
            let report = try await MixFixture.export(
                tracks(duck, speechVolume: volume), in: trial,
                preset: ExportPreset.named("m4a"), to: "out\(number).m4a")
            let found = try music(report, at: [0.5, 1.4, 4.2])
            #expect(found.allSatisfy { abs($0 - 1) < 0.02 }, "\(found)")
        }
    }

    @Test("a range has its part of the ducking, and a loudness comes after it")
    func rangeAndLoudness() async throws {
        let trial = try ExportTrial()
        let preset = try ExportPreset.named("m4a").setting([
            PresetChange("audio.loudness", "-20")
        ])
        let report = try await MixFixture.export(
            tracks(Ducking(under: 0, to: 0.25)), in: trial, preset: preset,
            settings: ExportTrial.settings(from: 3, to: 6), to: "out.m4a")
        let found = try music(report, at: [0.4, 1.2, 2.4])
        #expect(abs(found[1] / found[0] - 0.25) < 0.03 && abs(found[2] / found[0] - 1) < 0.03)
        #expect(abs(try JudgedLoudness(report.output).integrated + 20) <= 0.5)
    }
}
