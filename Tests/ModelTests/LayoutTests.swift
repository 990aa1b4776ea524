import Foundation
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Layouts and transitions")
struct LayoutTests {
    private func part(
        _ duration: MediaTime?, _ transition: Transition? = nil, _ layout: Layout? = nil
    ) -> Composition.Segment {
        var segment = Composition.Segment(
            source: "a", range: duration.map { TimeRange(start: 0, duration: $0) })
        (segment.transition, segment.layout) = (transition, layout)
        return segment
    }

    private func fault(
        _ segments: [Composition.Segment], _ media: Composition.Media = .all,
        _ layout: Layout? = nil
    ) -> String? {
        Composition(tracks: [.init(media, segments: segments, layout: layout)]).fault
    }

    @Test("a value holds, goes evenly and holds again")
    func values() {
        let area = Area(x: 0.5, y: 0.5, width: 0.5, height: 0.25)
        let ramped = Ramped(
            Area.whole, ramps: [.init(start: 1, duration: 2, from: .whole, to: area)])
        #expect(ramped.value(at: 0) == .whole && ramped.value(at: 1) == .whole)
        #expect(ramped.value(at: 2) == Area(x: 0.25, y: 0.25, width: 0.75, height: 0.625))
        #expect(ramped.value(at: 3) == area && ramped.value(at: 9) == area)
        let moved = ramped.counted(from: 1)
        #expect(moved.value(at: 1) == ramped.value(at: 2))
        let jumps = Ramped(0.25, ramps: [.init(start: 1, duration: 1, from: 0.5, to: 1)])
        #expect(jumps.value(at: 0.999) == 0.25 && jumps.value(at: 1) == 0.5)
        #expect(!jumps.isConstant && Ramped(1.0).isConstant)
    }

    @Test("transitions shorten a track by their time")
    func lengths() {
        let dissolve = Transition(.dissolve, 0.5)
        let track = Composition.Track(
            .all,
            segments: [part(2), part(3, dissolve), .empty(1), part(4, Transition(.dip, 0.25))])
        #expect(track.duration == 9.25)
        #expect(fault(track.segments) == nil)
    }

    @Test("a fault names the segment, the track and the field")
    func faults() {
        let second = Transition(.dissolve, 1)
        #expect(fault([part(2, second)])?.contains("none is before it") == true)
        #expect(fault([part(2), part(2, Transition(.dip, 0))])?.contains("of no time") == true)
        #expect(
            fault([part(0.5), part(2, second)])?.hasPrefix("segment 1 of track 1 lasts") == true)
        #expect(fault([part(2), part(0.5, second)])?.hasPrefix("segment 2 of track 1") == true)
        // Both fit alone, but overlap.
        let two = [part(2), part(1.5, second), part(2, second)]
        #expect(fault(two) == "segment 2 of track 1 lasts 1.500 s, but its transitions 2.000 s")
        #expect(fault([part(nil), part(nil, second)]) == nil)
        #expect(
            fault([part(2), part(2, Transition(.wipeUp, 1))], .audio)?.contains("wipeUp") == true)
        #expect(fault([part(2), part(2, second)], .audio) == nil)
        let red = PictureColor(red: 255, green: 0, blue: 0)
        let tinted = Transition(.dissolve, 1, color: red)
        #expect(fault([part(2), part(2, tinted)])?.contains("through a colour") == true)
        var gap = Composition.Segment.empty(2)
        gap.transition = second
        #expect(fault([.empty(2), gap, part(1)])?.contains("empty time to empty time") == true)
        #expect(fault([part(2), gap]) == nil)
        let layout = Layout(opacity: Ramped(0.5))
        #expect(fault([part(2)], .audio, layout)?.contains("but no pictures") == true)
        #expect(fault([part(2, nil, layout)], .audio)?.hasPrefix("segment 1 of track 1") == true)
    }

    @Test("a layout's numbers have limits")
    func limits() {
        func fault(_ layout: Layout) -> String? { self.fault([part(2, nil, layout)]) }
        let ramp = Ramped<Double>.Ramp(start: 0, duration: 1, from: 0, to: 1)
        #expect(fault(Layout(fit: .fill, opacity: Ramped(1, ramps: [ramp]))) == nil)
        for number in [-0.1, 1.1, .nan, .infinity] {
            #expect(fault(Layout(opacity: Ramped(number)))?.contains("an opacity") == true)
            #expect(fault(Layout(rotation: Ramped(number * 1e9)))?.contains("a rotation") == true)
            let area = Area(x: number * 1000, y: 0, width: 1, height: 1)
            #expect(fault(Layout(area: Ramped(area)))?.contains("an area") == true)
            #expect(fault(Layout(crop: Ramped(area)))?.contains("a crop") == true)
        }
        #expect(
            fault(Layout(area: Ramped(Area(x: 0, y: 0, width: 0, height: 1))))?.contains("wide")
                == true)
        let over = Area(x: 0.5, y: 0, width: 0.6, height: 1)
        #expect(fault(Layout(crop: Ramped(over)))?.contains("from 0 to 1") == true)
        let late = Ramped<Double>.Ramp(start: 0.5, duration: 1, from: 0, to: 1)
        #expect(
            fault(Layout(opacity: Ramped(1, ramps: [ramp, late])))?.contains(
                "ramp 2 begins before the one before it ends") == true)
        let short = Ramped<Double>.Ramp(start: 0, duration: 0, from: 0, to: 1)
        #expect(fault(Layout(opacity: Ramped(1, ramps: [short])))?.contains("no time") == true)
        // A blurred copy fills an area that stands still.
        let grows = Ramped(
            Area.whole,
            ramps: [
                .init(
                    start: 0, duration: 1, from: .whole,
                    to: Area(x: 0, y: 0, width: 0.5, height: 0.5))
            ])
        #expect(fault(Layout(fit: .blur, area: grows))?.contains("blur") == true)
        let own = part(2, nil, Layout(fit: .blur))
        #expect(self.fault([own], .all, Layout(area: grows))?.contains("blur") == true)
    }

    @Test("colours are read and told as they are")
    func colors() {
        #expect(
            PictureColor(parsing: "#Ff8000") == PictureColor(red: 255, green: 128, blue: 0))
        #expect(PictureColor(red: 1, green: 2, blue: 255).description == "#0102ff")
        for text in ["", "#", "ff8000", "#ff800", "#ff80000", "#+f8000", "#gg0000"] {
            #expect(PictureColor(parsing: text) == nil)
        }
    }

    @Test(
        "layouts, transitions, their order and the background are parts of a key; earlier keys stay"
    )
    func keys() {
        let (a, b) = (Composition.Segment(source: "a"), Composition.Segment(source: "b"))
        func joined(_ transition: Transition?) -> Composition {
            var second = b
            second.transition = transition
            return Composition(tracks: [.init(.all, segments: [a, second])])
        }
        func shown(_ layout: Layout?, own: Bool = false) -> Composition {
            var first = a
            if own { first.layout = layout }
            return Composition(tracks: [
                .init(.all, segments: [first, b], layout: own ? nil : layout)
            ])
        }
        var dimmed = Layout(opacity: Ramped(0.5))
        var all = [
            joined(Transition(.dissolve, 1)), joined(Transition(.dissolve, 2)),
            joined(Transition(.dip, 1)),
            joined(Transition(.dip, 1, color: .init(parsing: "#ffffff"))),
            shown(dimmed), shown(dimmed, own: true), shown(Layout(fit: .fill)),
            shown(Layout(rotation: Ramped(0.5))),
        ]
        dimmed.opacity?.ramps = [.init(start: 0, duration: 1, from: 0, to: 1)]
        all.append(shown(dimmed))
        var white = Composition(joining: ["a", "b"])
        white.background = PictureColor(parsing: "#ffffff")
        all.append(white)
        let keys = all.map(\.parts)
        #expect(!keys.contains(nil) && Set(keys).count == all.count)
        #expect(joined(nil).parts == nil && shown(nil).parts == nil)
        var pair = Composition(video: "a", audio: "b")
        #expect(pair.parts == nil)
        pair.background = .black
        #expect(pair.parts != nil)
    }

    @Test("what is stored is read again, and what says nothing is stored as before")
    func stored() throws {
        let old = #"{"tracks":[{"media":"all","segments":[{"source":"a"}]}]}"#
        let read = try JSONDecoder().decode(Composition.self, from: Data(old.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(read), as: UTF8.self) == old)
        var made = read
        made.background = .black
        made.tracks[0].layout = Layout(fit: .blur, opacity: Ramped(0.5))
        made.tracks[0].segments.append(
            part(2, Transition(.wipeLeft, 1), Layout(crop: Ramped(.whole))))
        #expect(try JSONDecoder().decode(Composition.self, from: encoder.encode(made)) == made)
    }

    @Test("edits move a segment's own layout with it, and refuse tracks with transitions")
    func edits() throws {
        let fade = Layout(
            opacity: Ramped(0, ramps: [.init(start: 1, duration: 2, from: 0, to: 1)]))
        var track = Composition.Track(.video, segments: [part(4, nil, fade)])
        try track.insert([.empty(1)], at: 2)
        #expect(track.segments.count == 3 && track.segments[0].layout == fade)
        let rest = try #require(track.segments[2].layout?.opacity)
        #expect(rest.value(at: 0) == 0.5 && rest.value(at: 1) == 1)
        track.segments = [part(2), part(2, Transition(.dissolve, 1))]
        let before = track
        #expect(throws: CompositionError.transition(segment: 1)) {
            try track.remove(TimeRange(start: 0, duration: 1))
        }
        #expect(track == before)
    }
}
