import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Exports of empty time and other speeds", .tags(.media))
struct CompositionTimeTests {
    /// Pictures numbered from `first` on, 25 a second, with a tone of its own; black is number 0.
    private static func clip(
        _ name: String, first: Int, tone: Int, seconds: Double = 2, sampleRate: Int = 48_000
    ) throws -> String {
        try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: seconds, first: first)
                + Clip.tone(frequency: tone, sampleRate: sampleRate, seconds: seconds)
                + ["-c:v", "libx264", "-g", "50", "-bf", "3", "-c:a", "aac"]
        ).path
    }

    private static func first() throws -> String { try clip("a.mp4", first: 1, tone: 440) }
    private static func second() throws -> String { try clip("b.mp4", first: 101, tone: 880) }

    /// A part counted in pictures of 1/25 s.
    private func part(
        _ source: String, _ start: Int64, _ end: Int64, _ speed: Ratio? = nil
    ) -> Composition.Segment {
        let range = TimeRange(
            start: MediaTime(value: start, timescale: 25), end: MediaTime(value: end, timescale: 25)
        )
        return Composition.Segment(source: source, range: range, speed: speed)
    }

    private func export(
        _ segments: [Composition.Segment], in trial: ExportTrial, preset: ExportPreset? = nil,
        settings: ExportSettings = ExportSettings()
    ) async throws -> ExportReport {
        var settings = settings
        settings.verification = .full
        let request = ExportRequest(
            Composition(tracks: [.init(.all, segments: segments)]),
            preset: try preset ?? ExportTrial.preset(), settings: settings)
        let report = try await ExportSession(request).export(to: trial.file("out.mp4"))
        #expect(try MediaTools.decodeErrors(report.output) == [])
        #expect(report.loss == nil)
        return report
    }

    /// Expects pictures with these numbers at these times, and both tracks to last to the end.
    private func expect(
        _ path: String, _ wanted: [(number: Int, time: Double)], until end: Double,
        slack: Double = 0.001
    ) throws {
        let shown = try NumberedPictures.shown(in: path)
        #expect(shown.map(\.number) == wanted.map(\.number))
        for (found, wanted) in zip(shown, wanted) {
            #expect(abs(found.time - wanted.time) < 0.0005, "\(wanted.number)")
        }
        for stream in ["v:0", "a:0"] {
            let packets = try MediaTools.packets(path, stream: stream)
            let last =
                packets.compactMap { packet in
                    packet.pts.map { $0 + (packet.duration ?? 0) }
                }.max() ?? 0
            #expect(abs(last - end) < (stream == "v:0" ? 0.0005 : slack), "\(stream): \(last)")
        }
        let seconds = try MediaTools.probe(path).format.duration ?? 0
        #expect(abs(seconds - end) < slack)
    }

    /// The samples of AAC's whole blocks that hold so many samples.
    private func blocks(_ seconds: Double) -> Int {
        (Int((seconds * 48_000).rounded()) + 1023) / 1024 * 1024
    }

    private func pictures(
        _ numbers: some Sequence<Int>, from start: Double, every step: Double
    ) -> [(number: Int, time: Double)] {
        numbers.enumerated().map { ($1, start + Double($0) * step) }
    }

    /// The largest sample between two times.
    private func peak(_ sound: Sound, _ start: Double, _ end: Double) -> Float {
        let rate = Double(sound.sampleRate)
        return sound.channels[0][Int(start * rate)..<Int(end * rate)].map { abs($0) }.max() ?? 0
    }

    @Test("a source, empty time, and another source at double speed")
    func all() async throws {
        let trial = try ExportTrial()
        let report = try await export(
            [
                part(try Self.first(), 0, 25), .empty(MediaTime(value: 2, timescale: 5)),
                Composition.Segment(source: try Self.second(), speed: Ratio(2, 1)),
            ], in: trial)
        let wanted =
            pictures(1...25, from: 0, every: 0.04)
            + pictures((0..<10).map { _ in 0 }, from: 1, every: 0.04)
            + pictures(101...150, from: 1.4, every: 0.02)
        // The last block of the whole source's own sound is taken, too.
        try expect(report.output, wanted, until: 2.4, slack: 0.011)
        let sound = try Sound(report.output)
        #expect(sound.channels[0].count == blocks(2.4))
        #expect(sound.amplitude(of: 440, in: 0, from: 0.75) > 0.05)
        #expect(peak(sound, 1.03, 1.37) < 0.001)
        #expect(peak(sound, 0.98, 1) > 0.05 && peak(sound, 1.4, 1.42) > 0.05)
        // Twice as fast, at the same pitch, to the end.
        #expect(sound.amplitude(of: 880, in: 0, from: 1.5) > 0.05)
        #expect(sound.amplitude(of: 880, in: 0, from: 2.15) > 0.05)
        #expect(sound.amplitude(of: 1760, in: 0, from: 1.5) < 0.01)
    }

    @Test("black pictures are black, and the planes have no colour")
    func black() async throws {
        let trial = try ExportTrial()
        let report = try await export(
            [part(try Self.first(), 9, 12), .empty(1)], in: trial)
        let planes = try Picture.lastPlanes(report.output)
        for (plane, value) in zip(planes, [16, 128, 128]) {
            #expect(plane.samples.allSatisfy { abs(Int($0) - value) <= 1 })
        }
    }

    @Test("empty time at the begin and at the end is exact, and so is a crooked one")
    func edges() async throws {
        let trial = try ExportTrial()
        let report = try await export(
            [
                .empty(MediaTime(value: 1, timescale: 5)), part(try Self.first(), 0, 10),
                .empty(MediaTime(value: 517, timescale: 1000)),
            ], in: trial)
        let wanted =
            pictures((0..<5).map { _ in 0 }, from: 0, every: 0.04)
            + pictures(1...10, from: 0.2, every: 0.04)
            + pictures((0..<13).map { _ in 0 }, from: 0.6, every: 0.04)
        try expect(report.output, wanted, until: 1.117)
        let sound = try Sound(report.output)
        #expect(sound.channels[0].count == blocks(1.117))
        #expect(peak(sound, 0, 0.17) < 0.001 && peak(sound, 0.64, 1.11) < 0.001)
        #expect(sound.amplitude(of: 440, in: 0, from: 0.3) > 0.05)
    }

    @Test(
        "slow and fast parts have exact seams, and sound of other rates fits",
        arguments: [Ratio(1, 2), Ratio(3, 7), Ratio(5, 4), Ratio(5, 2)])
    func speeds(speed: Ratio) async throws {
        let source = try Self.clip("c.mp4", first: 1, tone: 440, sampleRate: 44_100)
        let trial = try ExportTrial()
        let report = try await export(
            [
                part(source, 5, 30, speed), part(try Self.second(), 0, 10),
                part(source, 30, 40, speed), part(try Self.second(), 10, 20),
            ], in: trial)
        let step = 0.04 / speed.doubleValue
        let (middle, late) = (25 * step, 25 * step + 0.4)
        let end = late + 10 * step + 0.4
        let wanted =
            pictures(6...30, from: 0, every: step) + pictures(101...110, from: middle, every: 0.04)
            + pictures(31...40, from: late, every: step)
            + pictures(111...120, from: late + 10 * step, every: 0.04)
        try expect(report.output, wanted, until: end)
        let sound = try Sound(report.output)
        #expect(sound.channels[0].count == blocks(end))
        #expect(sound.amplitude(of: 440, in: 0, from: middle - 0.23) > 0.05)
        #expect(sound.amplitude(of: 880, in: 0, from: middle - 0.23) < 0.01)
        #expect(sound.amplitude(of: 880, in: 0, from: middle + 0.1) > 0.05)
        #expect(sound.amplitude(of: 440, in: 0, from: middle + 0.1) < 0.01)
        #expect(sound.amplitude(of: 880, in: 0, from: end - 0.25) > 0.05)
    }

    @Test("a constant rate keeps its grid through empty time and speeds")
    func constant() async throws {
        var preset = try ExportTrial.preset()
        preset.video?.frameRateMode = .constant
        preset.video?.frameRate = FrameRateValue("30")
        let trial = try ExportTrial()
        let report = try await export(
            [
                part(try Self.first(), 0, 25), .empty(MediaTime(value: 1, timescale: 2)),
                part(try Self.second(), 0, 50, Ratio(2, 1)),
            ], in: trial, preset: preset)
        let shown = try NumberedPictures.shown(in: report.output)
        #expect(shown.count == 75)
        for (index, picture) in shown.enumerated() {
            #expect(abs(picture.time - Double(index) / 30) < 0.0005)
        }
        #expect(shown.map(\.number).filter { $0 == 0 }.count == 15)
        #expect(shown[30..<45].allSatisfy { $0.number == 0 })
        #expect(shown[29].number <= 25 && shown[45].number >= 101)
    }

    @Test("the limits of the speeds give what they say")
    func limits() async throws {
        let trial = try ExportTrial()
        let report = try await export(
            [
                part(try Self.first(), 0, 1, Ratio(1, 100)),
                part(try Self.second(), 0, 50, Ratio(100, 1)), .empty(1),
            ], in: trial)
        let shown = try NumberedPictures.shown(in: report.output)
        #expect(shown.first?.number == 1 && shown.last?.number == 0)
        #expect(shown.filter { (101...150).contains($0.number) }.count <= 3)
        #expect(shown.first { $0.number > 100 }.map { abs($0.time - 4) < 0.0005 } == true)
        let seconds = try MediaTools.probe(report.output).format.duration ?? 0
        #expect(abs(seconds - 5.02) < 0.001)
    }

    @Test("a range of the export crosses empty time and speeds")
    func range() async throws {
        var settings = ExportSettings()
        settings.timeRange = TimeRange(
            start: MediaTime(value: 4, timescale: 5), end: MediaTime(value: 8, timescale: 5))
        let trial = try ExportTrial()
        let report = try await export(
            [
                part(try Self.first(), 0, 25), .empty(MediaTime(value: 2, timescale: 5)),
                part(try Self.second(), 0, 50, Ratio(2, 1)),
            ], in: trial, settings: settings)
        let wanted =
            pictures(21...25, from: 0, every: 0.04)
            + pictures((0..<10).map { _ in 0 }, from: 0.2, every: 0.04)
            + pictures(101...110, from: 0.6, every: 0.02)
        try expect(report.output, wanted, until: 0.8)
    }

    @Test("sound alone has silence and speeds, too")
    func soundAlone() async throws {
        let source = try Clip.make(
            "tone.wav", Clip.tone(seconds: 2) + ["-c:a", "pcm_s16le"]
        ).path
        let trial = try ExportTrial()
        let request = ExportRequest(
            Composition(tracks: [
                .init(
                    .all,
                    segments: [
                        .empty(MediaTime(value: 1, timescale: 2)),
                        Composition.Segment(source: source, speed: Ratio(1, 2)),
                    ])
            ]), preset: try ExportPreset.named("m4a"))
        let report = try await ExportSession(request).export(to: trial.file("out.m4a"))
        let sound = try Sound(report.output)
        #expect(sound.channels[0].count == blocks(4.5))
        #expect(peak(sound, 0, 0.47) < 0.001)
        for time in [0.6, 2, 4.25] {
            #expect(sound.amplitude(of: 440, in: 0, from: time) > 0.05, "\(time)")
        }
    }

    @Test("a source without sound is silent between sources at other speeds")
    func mute() async throws {
        let mute = try Clip.make(
            "mute.mp4",
            NumberedPictures.source(rate: "25", seconds: 1, first: 51) + ["-c:v", "libx264"]
        ).path
        let trial = try ExportTrial()
        let report = try await export(
            [
                part(mute, 0, 10), part(try Self.first(), 0, 20, Ratio(2, 1)),
                Composition.Segment(source: mute),
            ], in: trial)
        let wanted =
            pictures(51...60, from: 0, every: 0.04) + pictures(1...20, from: 0.4, every: 0.02)
            + pictures(51...75, from: 0.8, every: 0.04)
        try expect(report.output, wanted, until: 1.8)
    }
}
