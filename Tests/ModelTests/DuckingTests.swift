import TakeupTimeline
import Testing

@testable import TakeupModel

@Suite("Ducking")
struct DuckingTests {
    private let rule = Ducking(under: 0, to: 0.25, attack: 0.2, release: 0.5, threshold: 0.01)

    /// Levels of 10 ms each: silence, but for the given windows.
    private func levels(_ count: Int, _ heard: Range<Int>...) -> [Float] {
        (0..<count).map { place in heard.contains { $0.contains(place) } ? 0.1 : 0.0001 }
    }

    @Test("a track is down when the other begins, and up again after it")
    func once() {
        let volume = rule.volume(under: levels(500, 100..<200))
        #expect(
            volume.ramps == [
                .init(start: 0.8, duration: 0.2, from: 1, to: 0.25),
                .init(start: 2, duration: 0.5, from: 0.25, to: 1),
            ])
        for (time, level) in [
            (0.79, 1.0), (0.9, 0.625), (1, 0.25), (1.99, 0.25), (2.25, 0.625), (2.51, 1),
        ] {
            #expect(abs(volume.level(at: MediaTime(seconds: time)) - level) < 1e-9, "\(time)")
        }
        #expect(volume.fault == nil)
    }

    @Test("pauses too short to go up and down again do not raise it, and clicks do not lower it")
    func pauses() {
        let spoken = levels(1000, 100..<150, 210..<260, 340..<400, 600..<602)
        let volume = rule.volume(under: spoken)
        // 0.6 s are shorter than attack and release together, 0.8 s are not.
        #expect(volume.ramps.map(\.start) == [0.8, 2.6, 3.2, 4])
        #expect(rule.volume(under: []).ramps == [])
        #expect(rule.volume(under: levels(100)).ramps == [])
    }

    @Test("a sound at the very start and the very end lowers it there")
    func ends() {
        let volume = rule.volume(under: levels(100, 0..<10, 95..<100))
        #expect(volume.level(at: .zero) == 0.25)
        #expect(volume.ramps.map(\.start) == [-0.2, 0.1, 0.75, 1])
    }

    private func fault(
        _ duck: Ducking, _ media: Composition.Media = .audio,
        first: Composition.Media = .all
    ) -> String? {
        Composition(tracks: [
            .init(first, ["a"]),
            .init(media, segments: [Composition.Segment(source: "b")], duck: duck),
        ]).fault
    }

    @Test("a fault names the track")
    func faults() {
        #expect(fault(rule) == nil)
        #expect(
            fault(rule, first: .video)
                == "track 2 ducks under track 1, but that may only be another track with sound")
        for under in [-1, 1, 2] {
            #expect(
                fault(Ducking(under: under))?.hasPrefix("track 2 ducks under track \(under + 1)")
                    == true)
        }
        for wrong in [
            Ducking(under: 0, to: 1.1), Ducking(under: 0, to: -0.1), Ducking(under: 0, to: .nan),
            Ducking(under: 0, attack: 0), Ducking(under: 0, release: 11),
            Ducking(under: 0, threshold: 0), Ducking(under: 0, threshold: 1.5),
        ] {
            #expect(fault(wrong)?.hasPrefix("track 2 ducks") == true, "\(wrong)")
        }
    }

    @Test("another ducking is other work, none is the work that it was")
    func keys() {
        func parts(_ duck: Ducking?) -> [String]? {
            Composition(tracks: [
                .init(.all, ["a"]), .init(.audio, segments: [.init(source: "b")], duck: duck),
            ]).parts
        }
        #expect(parts(nil)?.contains { $0.contains("duck") } == false)
        #expect(parts(rule) != parts(nil))
        var other = rule
        other.release = 0.6
        #expect(parts(rule) != parts(other))
    }
}
