import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Transitions, compared with their formulas", .tags(.media))
struct TransitionTests {
    private typealias Fixture = LayerFixture

    private func export(
        _ transition: Transition, _ trial: ExportTrial
    ) async throws -> [LayerFixture.Shown] {
        let made = try await Fixture.export(
            Composition(tracks: [
                Fixture.track(
                    [
                        try Fixture.flat("red.mkv", Fixture.red),
                        try Fixture.flat("blue.mkv", Fixture.blue),
                    ], joined: transition)
            ]), in: trial)
        #expect(made.pictures.count == 15)
        return made.pictures
    }

    /// How much of the transition is over when a picture is shown.
    private func share(_ index: Int) -> Double { min(max((Double(index) / 10 - 0.5) / 0.5, 0), 1) }

    @Test("a dissolve blends every sample evenly")
    func dissolve() async throws {
        let trial = try ExportTrial()
        for (index, shown) in try await export(Transition(.dissolve, 0.5), trial).enumerated() {
            let wanted = Fixture.red.mixed(Fixture.blue, share(index))
            for (x, y) in [(2, 2), (80, 48), (157, 93)] {
                #expect(
                    shown.tone(x, y).distance(to: wanted) <= 2.5, "\(index): \(shown.tone(x, y))")
            }
        }
    }

    @Test("a dip goes through its colour")
    func dip() async throws {
        let trial = try ExportTrial()
        let white = PictureColor(red: 255, green: 255, blue: 255)
        let pictures = try await export(Transition(.dip, 0.5, color: white), trial)
        for (index, shown) in pictures.enumerated() {
            let share = share(index)
            let tone = LayerFixture.Tone(235, 128, 128)
            let wanted =
                share < 0.5
                ? Fixture.red.mixed(tone, 2 * share) : Fixture.blue.mixed(tone, 2 * (1 - share))
            #expect(
                shown.tone(80, 48).distance(to: wanted) <= 2.5, "\(index): \(shown.tone(80, 48))")
        }
    }

    @Test(
        "a wipe's edge moves evenly",
        arguments: [Transition.Kind.wipeRight, .wipeLeft, .wipeDown, .wipeUp])
    func wipe(kind: Transition.Kind) async throws {
        let trial = try ExportTrial()
        for (index, shown) in try await export(Transition(kind, 0.5), trial).enumerated() {
            let share = share(index)
            for x in stride(from: 1, to: 160, by: 6) {
                for y in stride(from: 1, to: 96, by: 6) {
                    let (across, down) = ((Double(x) + 0.5) / 160, (Double(y) + 0.5) / 96)
                    let place =
                        switch kind {
                        case .wipeRight: across
                        case .wipeLeft: 1 - across
                        case .wipeDown: down
                        default: 1 - down
                        }
                    // The edge itself is blurred by the encoder.
                    guard abs(place - share) > 0.06 else { continue }
                    let wanted = place < share ? Fixture.blue : Fixture.red
                    #expect(shown.tone(x, y).distance(to: wanted) <= 4, "\(index) at \(x),\(y)")
                }
            }
        }
    }

    @Test("each picture is blended with the one of its time, and the sound is cross-faded")
    func both() async throws {
        let trial = try ExportTrial()
        func film(_ name: String, _ first: Int, _ pitch: Int) throws -> String {
            try Clip.make(
                name,
                NumberedPictures.source(rate: "25", seconds: 2, first: first) + [
                    "-f", "lavfi", "-i", "aevalsrc='0.25*sin(2*PI*\(pitch)*t)':s=48000:d=2",
                    "-c:v", "libx264", "-qp", "0", "-g", "25", "-bf", "3", "-c:a", "flac",
                ]
            ).path
        }
        var second = Composition.Segment(source: try film("second.mkv", 101, 1000))
        second.transition = Transition(.dissolve, 1)
        let first = Composition.Segment(
            source: try film("first.mkv", 1, 440), range: TimeRange(start: 0.4, end: 1.8))
        let made = try await Fixture.export(
            Composition(tracks: [.init(.all, segments: [first, second])]), in: trial)
        #expect(made.pictures.count == 60)
        for (index, shown) in made.pictures.enumerated() {
            // 0.4 s of the first alone, a second of both, a second of the second alone.
            let share = min(max((Double(index) / 25 - 0.4) / 1, 0), 1)
            let (one, other) = (11 + index, 101 + index - 10)
            for bar in 0..<8 {
                func level(_ number: Int) -> Double { number >> bar & 1 == 1 ? 235 : 16 }
                let wanted = level(one) * (1 - share) + (share > 0 ? level(other) * share : 0)
                let found = shown.luma(bar * 20 + 10, 48)
                #expect(abs(found - wanted) <= 6, "picture \(index), bar \(bar): \(found)")
            }
        }
        let sound = try Sound(made.report.output)
        #expect(sound.channels[0].count == (Int(2.4 * 48_000) + 1023) / 1024 * 1024)
        for start in [0.1, 0.5, 0.7, 0.9, 1.1, 1.5] {
            let share = min(max(start + 0.1 - 0.4, 0), 1)
            let (low, high) = (
                sound.amplitude(of: 440, in: 0, from: start),
                sound.amplitude(of: 1000, in: 0, from: start)
            )
            #expect(abs(low - 0.25 * (1 - share)) < 0.012, "\(start): \(low)")
            #expect(abs(high - 0.25 * share) < 0.012, "\(start): \(high)")
        }
    }

    @Test("a transition from empty time fades in, and a range may begin within a transition")
    func fade() async throws {
        let trial = try ExportTrial()
        var red = Composition.Segment(source: try Fixture.flat("red.mkv", Fixture.red))
        red.transition = Transition(.dissolve, 0.5)
        let composition = Composition(
            tracks: [.init(.video, segments: [.empty(0.5), red, .empty(0.2)])],
            background: PictureColor(red: 255, green: 255, blue: 255))
        let white = LayerFixture.Tone(235, 128, 128)
        let whole = try await Fixture.export(composition, in: trial)
        for (index, shown) in whole.pictures.enumerated() {
            let share = index < 10 ? min(Double(index) / 5, 1) : 0
            #expect(shown.tone(80, 48).distance(to: white.mixed(Fixture.red, share)) <= 2.5)
        }
        let other = try ExportTrial()
        let part = try await Fixture.export(
            composition, in: other, settings: ExportTrial.settings(from: 0.2, to: 1.1))
        #expect(part.pictures.count == 9)
        for (index, shown) in part.pictures.enumerated() {
            let expected = whole.pictures[index + 2].tone(80, 48)
            #expect(shown.tone(80, 48).distance(to: expected) <= 2)
        }
    }

    @Test("transitions longer than a whole source are refused when it is known")
    func tooLong() async throws {
        let composition = Composition(tracks: [
            Fixture.track(
                [
                    try Fixture.flat("red.mkv", Fixture.red),
                    try Fixture.flat("blue.mkv", Fixture.blue),
                ], joined: Transition(.dissolve, 1.5))
        ])
        let request = ExportRequest(composition, preset: try Fixture.preset())
        let error = await #expect(throws: ExportError.self) {
            _ = try await ExportSession(request).plan()
        }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("part 1 lasts 1.000 s"))
    }
}
