import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Transitions beside empty time, short segments and stills", .tags(.media))
struct FadeTests {
    private typealias Fixture = LayerFixture

    private func entering(_ source: String, _ transition: Transition) -> Composition.Segment {
        var segment = Composition.Segment(source: source)
        segment.transition = transition
        return segment
    }

    @Test("a dip goes through its colour beside empty time, too", arguments: [false, true])
    func dip(isDeep: Bool) async throws {
        let trial = try ExportTrial()
        let dip = Transition(.dip, 0.5, color: PictureColor(red: 255, green: 255, blue: 255))
        var rest = Composition.Segment.empty(0.5)
        rest.transition = dip
        let red = entering(try Fixture.flat("red.mkv", Fixture.red), dip)
        let made = try await Fixture.export(
            Composition(tracks: [.init(.video, segments: [.empty(0.5), red, rest])]), in: trial,
            preset: isDeep ? ExportPreset.named("hevc-highest") : nil)
        #expect(made.pictures.count == 10)
        let (black, white) = (LayerFixture.Tone.black, LayerFixture.Tone(235, 128, 128))
        for (index, shown) in made.pictures.enumerated() {
            // Seen alone in the middle; black at both ends, where the fades begin and end.
            let seen = index < 5 ? Double(index) / 5 : 1 - Double(index - 5) / 5
            let wanted =
                seen < 0.5 ? black.mixed(white, 2 * seen) : white.mixed(Fixture.red, 2 * seen - 1)
            #expect(shown.tone(80, 48).distance(to: wanted) <= (isDeep ? 6 : 2.5), "\(index)")
        }
    }

    @Test("sound fades in from empty time as long as its transition, on time and whole")
    func sound() async throws {
        let trial = try ExportTrial()
        let tone = try MixFixture.tone("tone.wav", 440, 3)
        let report = try await MixFixture.export(
            [.init(.audio, segments: [.empty(1), entering(tone, Transition(.dissolve, 1))])],
            in: trial, preset: ExportPreset.named("m4a"), to: "out.m4a")
        let sound = try Sound(report.output)
        #expect(abs(Double(sound.channels[0].count) / 48_000 - 3) < 0.022)
        for start in [0.1, 0.4, 0.7, 1.2, 2.7] {
            let found = sound.amplitude(of: 440, in: 0, from: start)
            #expect(abs(found - 0.25 * min(start + 0.1, 1)) < 0.015, "\(start): \(found)")
        }
    }

    @Test("a segment as long as its transition cross-fades with the next one")
    func whole() async throws {
        let trial = try ExportTrial()
        let low = try MixFixture.tone("low.wav", 440, 1)
        let high = try MixFixture.tone("high.wav", 1000, 2)
        let report = try await MixFixture.export(
            [
                .init(
                    .audio,
                    segments: [.init(source: low), entering(high, Transition(.dissolve, 1))])
            ],
            in: trial, preset: ExportPreset.named("m4a"), to: "out.m4a")
        let sound = try Sound(report.output)
        for start in [0.1, 0.4, 0.7, 1.5] {
            let share = min(start + 0.1, 1)
            let (one, other) = (
                sound.amplitude(of: 440, in: 0, from: start),
                sound.amplitude(of: 1000, in: 0, from: start)
            )
            #expect(abs(one - 0.25 * (1 - share)) < 0.015, "\(start): \(one)")
            #expect(abs(other - 0.25 * share) < 0.015, "\(start): \(other)")
        }
    }

    @Test("a still lasts as long as is asked for, whatever its start")
    func still() async throws {
        let trial = try ExportTrial()
        let still = try Clip.make(
            "red.png",
            ["-f", "lavfi", "-i", "color=red:size=160x96", "-frames:v", "1"]
        ).path
        let blue = Composition.Segment(source: try Fixture.flat("blue.mkv", Fixture.blue))
        let shown = Composition.Segment(
            source: still, range: TimeRange(start: 5, duration: 1))
        let made = try await Fixture.export(
            Composition(tracks: [.init(.video, segments: [shown, blue])]), in: trial)
        #expect(made.pictures.count == 20)
        let red = made.pictures[0].tone(80, 48)
        #expect(made.pictures[9].tone(80, 48).distance(to: red) <= 4)
        #expect(red.distance(to: Fixture.blue) > 50)
        #expect(made.pictures[10].tone(80, 48).distance(to: Fixture.blue) <= 8)
    }
}
