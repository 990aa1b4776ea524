import TakeupIntake
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Layouts and transitions of timeline files")
struct TimelineLayoutTests {
    private static func read(_ text: String) throws -> Composition {
        try TimelineFile.read(Array(text.utf8), name: "/t.takeup.json") { [] }.composition
    }

    @Test("layouts, transitions and the background are read, and what is written is read again")
    func pictures() throws {
        let text = """
            {"version": 1, "background": "#102030", "tracks": [
              {"media": "all", "segments": [
                "a.mov", {"transition": "dip", "duration": "1/2", "color": "#ffffff"},
                {"source": "b.png", "duration": 5, "layout": {"fit": "fill",
                  "areaRamps": [{"start": 0, "duration": 5,
                    "from": {"x": 0, "y": 0, "width": 1, "height": 1},
                    "to": {"x": -0.25, "y": -0.25, "width": 1.5, "height": 1.5}}]}},
                {"transition": "wipeLeft", "duration": 1}, {"empty": 3}]},
              {"media": "video", "layout": {"opacity": 0.5, "rotation": -90,
                "opacityRamps": [{"start": 1, "duration": 2, "from": 0.5, "to": 1}],
                "crop": {"x": 0, "y": 0, "width": 0.5, "height": 1}}, "segments": ["c.mov"]}]}
            """
        let composition = try Self.read(text)
        let segments = composition.tracks[0].segments
        #expect(composition.background == PictureColor(red: 16, green: 32, blue: 48))
        #expect(
            segments.map(\.transition) == [
                nil,
                Transition(
                    .dip, MediaTime(value: 1, timescale: 2),
                    color: PictureColor(red: 255, green: 255, blue: 255)),
                Transition(.wipeLeft, MediaTime(seconds: Int64(1))),
            ])
        #expect(segments[1].layout?.fit == .fill && segments[1].layout?.area?.value == .whole)
        #expect(segments[1].layout?.area?.ramps[0].to.width == 1.5)
        let layout = try #require(composition.tracks[1].layout)
        #expect(layout.opacity?.value == 0.5 && layout.opacity?.ramps.count == 1)
        #expect(layout.rotation?.value == -90 && layout.crop?.value.width == 0.5)
        #expect(layout.area == nil && layout.fit == nil)
        let again = try Self.read(composition.timelineJSON.description)
        #expect(again == composition)
        // A layout that says nothing makes no other work.
        let void = try Self.read(
            #"{"version": 1, "tracks": [{"segments": [{"source": "a", "layout": {}}]}]}"#)
        #expect(void.tracks[0].segments[0].layout == nil)
    }
}
