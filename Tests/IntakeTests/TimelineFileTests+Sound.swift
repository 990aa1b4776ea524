import TakeupIntake
import TakeupModel
import TakeupTimeline
import Testing

extension TimelineFileTests {
    @Test("the pitch may follow a speed; without a speed it says nothing")
    func pitch() throws {
        func read(_ fields: String) throws -> Composition {
            let text = Self.segments(#"{"source": "a", "end": 2, \#(fields)}"#)
            return try TimelineFile.read(try write(text)).composition
        }
        let composition = try read(#""speed": 2, "pitch": "follow""#)
        #expect(composition.tracks[0].segments[0].pitch == .follow)
        let again = try TimelineFile.read(
            try write(composition.timelineJSON.description, "b.takeup.json")
        ).composition
        #expect(again == composition)
        #expect(try read(#""speed": 2, "pitch": "keep""#) == read(#""speed": 2"#))
        #expect(try read(#""pitch": "follow""#) == read(#""speed": 1"#))
        #expect(throws: BatchListError.self) {
            try TimelineFile.text(of: composition, at: "/x.otio")
        }
    }

    @Test("a track ducks under another one, with the values that are given")
    func ducking() throws {
        let some = try TimelineFile.read(try write(Self.track(#""duck": {"under": 1}"#)))
        #expect(some.composition.tracks[1].duck == Ducking(under: 0))
        let all = try TimelineFile.read(
            try write(
                Self.track(
                    #""duck": {"under": 1, "to": "-20 dB", "attack": "1/3", "release": 2, "#
                        + #""threshold": "-60 dB"}"#))
        ).composition
        let duck = try #require(all.tracks[1].duck)
        #expect(abs(duck.to - 0.1) < 1e-9 && abs(duck.threshold - 0.001) < 1e-9)
        #expect(duck.attack == MediaTime(value: 1, timescale: 3) && duck.release == 2)
        let again = try TimelineFile.read(
            try write(all.timelineJSON.description, "b.takeup.json")
        ).composition
        #expect(again == all)
        #expect(throws: BatchListError.self) { try TimelineFile.text(of: all, at: "/x.otio") }
    }
}
