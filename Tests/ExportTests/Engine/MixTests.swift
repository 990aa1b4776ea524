import Foundation
import TakeupFFmpeg
import TakeupLanes
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Exports of several tracks", .tags(.media))
struct MixTests {
    /// The samples of the sound before any lossy encoder, from the pass that every export runs.
    private func samples(
        _ tracks: [Composition.Track], settings: ExportSettings = ExportSettings(),
        _ change: (inout AudioEncoding) -> Void = { _ in }
    ) async throws -> (sound: Sound, warnings: [String]) {
        let composition = Composition(tracks: tracks)
        #expect(composition.fault == nil)
        var (assets, sources): ([InspectedAsset], [OpenedSource]) = ([], [])
        for path in composition.sources {
            let asset = Asset(path: path)
            let found = try await asset.inspected()
            assets.append(found.parts[0].asset)
            sources += try asset.open(found, within: OpenFiles())
        }
        var planner = ExportPlanner(
            assets: assets, clips: TakeupExport.Clip.clips(of: composition),
            volumes: TakeupExport.Clip.volumes(of: composition),
            preset: try ExportPreset.named("m4a"), settings: settings)
        var plan = try planner.plan()
        let planned: AudioEncoding? =
            if case .encode(let encoding) = plan.audio[0].mode { encoding } else { nil }
        var encoding = try #require(planned)
        encoding.encoder = "wavpack"
        change(&encoding)
        plan.audio[0].mode = .encode(encoding)
        let trial = try ExportTrial()
        let path = trial.file("out.mka")
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        let muxer = try Muxer(format: "matroska", descriptor: file.fileDescriptor, name: path)
        let result = try RenderPass(
            RunInputs(sources: sources, assets: assets), plan: plan,
            control: RunControl(Cancellation()),
            progress: ProgressMeter(interval: .seconds(1)) { _ in }, muxer: muxer
        ).run(muxerOptions: [:])
        try muxer.finish { _ in true }
        return (try Sound(path), result.warnings.map(\.code))
    }

    /// Expects samples that differ by no more than rounding.
    private func expect(_ found: [Float], _ wanted: [Float], within: Float = 2e-6) {
        #expect(found.count == wanted.count)
        let worst = zip(found, wanted).enumerated().max {
            abs($0.element.0 - $0.element.1) < abs($1.element.0 - $1.element.1)
        }
        guard let worst else { return }
        #expect(
            abs(worst.element.0 - worst.element.1) <= within,
            "sample \(worst.offset): \(worst.element)")
    }

    private struct Layer {
        let samples: ArraySlice<Float>
        let first: Int
        let gain: (Double) -> Double
    }

    private func sum(_ count: Int, _ layers: [Layer]) -> [Float] {
        var sum = [Float](repeating: 0, count: count)
        for layer in layers {
            for (place, sample) in layer.samples.enumerated() where layer.first + place < count {
                let time = Double(layer.first + place) / 48_000
                sum[layer.first + place] += Float(layer.gain(time)) * sample
            }
        }
        return sum
    }

    private static let ramps = [
        Volume.Ramp(start: 0.5, duration: 0.5, from: 0.8, to: 0.1),
        Volume.Ramp(start: 1.25, duration: 1, from: 0, to: 2),
    ]

    /// The formula of AVFoundation's ramps, written once more.
    private func gain(_ time: Double) -> Double {
        switch time {
        case ..<0.5: 0.5
        case ..<1: 0.8 - 0.7 * (time - 0.5) / 0.5
        case ..<1.25: 0.1
        case ..<2.25: 2 * (time - 1.25)
        default: 2
        }
    }

    /// Three tracks: one with ramps, one that begins at a crooked time, and a part of the first source again.
    private func layered() throws -> (tracks: [Composition.Track], sum: [Float]) {
        let (a, b) = (
            try MixFixture.tone("a.wav", 440, 3), try MixFixture.tone("b.wav", 1000, 2, level: 0.2)
        )
        let tracks: [Composition.Track] = [
            .init(.audio, segments: [.init(source: a)], volume: Volume(0.5, ramps: Self.ramps)),
            .init(
                .audio,
                segments: [.empty(MediaTime(value: 1517, timescale: 1000)), .init(source: b)]),
            .init(
                .audio,
                segments: [
                    .empty(0.25), MixFixture.part(a, 1, 0.5), MixFixture.part(b, 0.5, 0.125),
                ],
                volume: Volume(0.1)),
        ]
        let (first, second) = (try Sound(a).channels[0], try Sound(b).channels[0])
        let layers = [
            Layer(samples: first[...], first: 0, gain: gain),
            Layer(samples: second[...], first: 72_816) { _ in 1 },
            Layer(samples: first[48_000..<72_000], first: 12_000) { _ in 0.1 },
            Layer(samples: second[24_000..<30_000], first: 36_000) { _ in 0.1 },
        ]
        return (tracks, sum(72_816 + 96_000, layers))
    }

    @Test("every sample is the sum of all tracks at their places, each at its volume then")
    func exact() async throws {
        let (tracks, sum) = try layered()
        let (sound, warnings) = try await samples(tracks)
        expect(sound.channels[0], sum)
        #expect(warnings == [])
    }

    @Test("a range of a mix is that part of it, to the sample")
    func range() async throws {
        let (tracks, sum) = try layered()
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: 0.75, end: MediaTime(value: 2, timescale: 1))
        let (sound, _) = try await samples(tracks, settings: settings)
        expect(sound.channels[0], Array(sum[36_000..<96_000]))
    }

    @Test("clicks lie at their exact samples, also behind many crooked lengths")
    func clicks() async throws {
        let click = try MixFixture.sound("click.wav", "0.5*eq(n,12345)", 1)
        let empty = MediaTime(value: 1001, timescale: 30_000)
        let third = MediaTime(value: 1, timescale: 3) + MediaTime(value: 1, timescale: 144_000)
        let (sound, _) = try await samples([
            .init(.audio, segments: [.empty(empty), MixFixture.part(click, 0.125, 0.5)]),
            .init(.audio, segments: (0..<30).map { _ in MixFixture.part(click, 0, third) }),
        ])
        let found = sound.channels[0].indices.filter { abs(sound.channels[0][$0]) > 0.1 }
        let step = 16_000 + 1.0 / 3
        let wanted =
            (0..<30).map { Int((Double($0) * step).rounded()) + 12_345 }
            + [Int((1001 * 1.6).rounded()) + 12_345 - 6000]
        #expect(found == wanted.sorted())
        #expect(sound.channels[0].count == Int((30 * step).rounded()))
    }

    @Test("a sum beyond full scale is limited without wrapping, and that is told")
    func limited() async throws {
        let tracks: [Composition.Track] = [
            .init(.audio, [try MixFixture.tone("loud.wav", 500, 2, level: 0.9)]),
            .init(
                .audio,
                segments: [
                    .empty(0.5), .init(source: try MixFixture.tone("late.wav", 500, 1, level: 0.9)),
                ]),
        ]
        let (sound, warnings) = try await samples(tracks)
        #expect(warnings == ["mixLimited"])
        #expect(sound.channels[0].count == 96_000)
        #expect(sound.peak <= 1 && sound.peak > 0.95)
        // The limiter changes no sample where nothing is too loud.
        let alone = try Sound(tracks[0].segments[0].source ?? "").channels[0]
        expect(Array(sound.channels[0][..<23_500]), Array(alone[..<23_500]))
        // The limiter keeps the tone a tone.
        let (full, other) = (
            sound.amplitude(of: 500, in: 0, from: 0.9), sound.amplitude(of: 1500, in: 0, from: 0.9)
        )
        #expect(full > 0.9 && other < 0.03, "\(full) \(other)")
        let trial = try ExportTrial()
        let report = try await MixFixture.export(
            tracks, in: trial, preset: try ExportPreset.named("m4a"), to: "out.m4a")
        #expect(
            report.warnings.contains { $0.code == "mixLimited" && $0.message.contains("5.2 dB") })
        #expect(abs(decibels(try Sound(report.output).peak, over: 1)) < 1)
    }

    @Test("mono, stereo and 5.1 at different rates are converted before the sum")
    func formats() async throws {
        let six = try Clip.make(
            "six.wav",
            ["-f", "lavfi", "-i", "aevalsrc='0|0|0.2*sin(2*PI*600*t)|0|0|0':s=48000:c=5.1:d=2"]
                + ["-c:a", "pcm_f32le"]
        ).path
        let two = try Clip.make(
            "two.wav",
            [
                "-f", "lavfi", "-i", "aevalsrc='0.2*sin(2*PI*800*t)|0':s=32000:d=2", "-c:a",
                "pcm_f32le",
            ]
        ).path
        let one = try MixFixture.sound("one.wav", "0.2*sin(2*PI*1000*t)", 2, rate: 44_100)
        let (sound, _) = try await samples([
            .init(.audio, [one]), .init(.audio, [six]), .init(.audio, [two]),
        ])
        #expect(sound.sampleRate == 48_000)
        #expect(sound.channels.allSatisfy { $0.count == 96_000 })
        // As each of them is on its own.
        for (path, tone) in [(one, 1000.0), (six, 600), (two, 800)] {
            let (alone, _) = try await samples(
                [.init(.audio, segments: [.init(source: path)], volume: Volume(0.999))]
            ) {
                $0.channels = sound.channels.count
                $0.channelLayout = sound.channels.count == 2 ? "stereo" : "5.1"
                $0.sampleRate = 48_000
            }
            for channel in sound.channels.indices {
                let (found, wanted) = (
                    sound.amplitude(of: tone, in: channel), alone.amplitude(of: tone, in: channel)
                )
                #expect(abs(found - wanted / 0.999) < 1e-4, "\(path) \(channel)")
            }
        }
    }

    @Test("the pitch follows the speed where the timeline says so, and lengths are exact")
    func pitch() async throws {
        let a = try MixFixture.tone("a.wav", 440, 3)
        var (fast, slow) = (
            MixFixture.part(a, 0, 2, Ratio(2, 1)), MixFixture.part(a, 0, 1, Ratio(1, 3))
        )
        (fast.pitch, slow.pitch) = (.follow, .follow)
        let kept = MixFixture.part(a, 0, 2, Ratio(2, 1))
        let (sound, _) = try await samples([.init(.audio, segments: [fast, slow, kept])])
        #expect(sound.channels[0].count == 5 * 48_000)
        for (tone, time) in [(880.0, 0.4), (440.0 / 3, 2), (440, 4.4)] {
            for other in [880.0, 440.0 / 3, 440] {
                let level = sound.amplitude(of: other, in: 0, from: time)
                #expect((level > 0.2) == (other == tone), "\(other) at \(time): \(level)")
            }
        }
    }

    @Test("speeds and empty times in a track of sound are exact beside other tracks")
    func speeds() async throws {
        let (a, b) = (
            try MixFixture.tone("a.wav", 440, 3), try MixFixture.tone("b.wav", 1000, 2, level: 0.2)
        )
        let (sound, _) = try await samples([
            .init(
                .audio,
                segments: [
                    MixFixture.part(a, 0, 1), .empty(0.5), MixFixture.part(a, 0, 2, Ratio(2, 1)),
                ]),
            .init(.audio, segments: [.empty(1), MixFixture.part(b, 0, 1, Ratio(1, 2))]),
        ])
        #expect(sound.channels[0].count == 144_000)
        for (time, low, high) in [
            (0.5, true, false), (1.2, false, true), (1.8, true, true), (2.7, false, true),
        ] {
            let (a, b) = (
                sound.amplitude(of: 440, in: 0, from: time),
                sound.amplitude(of: 1000, in: 0, from: time)
            )
            #expect((a > 0.2) == low && (a < 0.01) != low, "\(time): \(a)")
            #expect((b > 0.15) == high && (b < 0.01) != high, "\(time): \(b)")
        }
    }
}
