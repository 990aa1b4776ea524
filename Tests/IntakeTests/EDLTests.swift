import TakeupIntake
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Edit decision lists")
struct EDLTests {
    private func read(
        _ text: String, name: String = "cut.edl", names: [String] = ["a.mov", "b.mov", "c.mp4"]
    ) throws -> TimelineFile.Reading {
        try TimelineFile.read(Array(text.utf8), name: "/cut/\(name)") { names }
    }

    private func time(_ frames: Int64, _ rate: Ratio = Ratio(25, 1)) -> MediaTime {
        MediaTime(value: frames * rate.denominator, timescale: rate.numerator)
    }

    private static let head = "TITLE: Cut\r\nFCM: NON-DROP FRAME\r\n* FRAME RATE: 25\r\n\r\n"
    private static let first = "001  A  V  C  01:00:02:00 01:00:03:00 10:00:00:00 10:00:01:00\r\n"

    @Test("events become parts in the source's timecode, gaps and black empty time")
    func events() throws {
        let found = try read(
            Self.head + Self.first + "* FROM CLIP NAME:  a\r\n"
                + "002  BL V C 00:00:00:00 00:00:00:05 10:00:01:00 10:00:01:05\r\n"
                + "003  B  V C 00:00:01:00 00:00:01:10 10:00:02:00 10:00:02:10\r\n"
                + "* SOURCE FILE: sub/x.mov\r\n* LOC: 10:00:02:01 RED look\r\n")
        let rate = Ratio(25, 1)
        var one = Composition.Segment(
            source: "/cut/a.mov", range: TimeRange(start: time(90_050), duration: time(25)))
        one.timecodeRate = rate
        var two = Composition.Segment(
            source: "/cut/sub/x.mov", range: TimeRange(start: time(25), duration: time(10)))
        two.timecodeRate = rate
        #expect(found.composition.tracks.map(\.media) == [.video])
        #expect(found.composition.tracks[0].segments == [one, .empty(time(25)), two])
        #expect(found.omitted.map(\.description).joined().contains("event 003: a locator"))
    }

    @Test(
        "channels of pictures and sound with the same cuts are one track",
        arguments: [
            ("B", .all), ("AA/V", .all), ("V", .video), ("A", .audio), ("AA", .audio),
        ] as [(String, Composition.Media)])
    func channels(channel: String, media: Composition.Media) throws {
        let text = Self.head + Self.first.replacing("  V  ", with: "  \(channel)  ")
        #expect(try read(text).composition.tracks.map(\.media) == [media])
    }

    @Test("dropped numbers are counted, and tell the rate")
    func dropFrame() throws {
        let found = try read(
            "FCM: DROP FRAME\n001 A V C 00:00:59:28 00:01:00:04 00:10:00:00 00:10:00:04\n")
        let segment = found.composition.tracks[0].segments[0]
        let rate = Ratio(30_000, 1001)
        #expect(segment.timecodeRate == rate)
        #expect(segment.range == TimeRange(start: time(1798, rate), duration: time(4, rate)))
    }

    @Test("the name of the file may tell the rate")
    func rateInName() throws {
        let found = try read(Self.first, name: "cut.v2.23.976fps.edl")
        #expect(found.composition.tracks[0].segments[0].timecodeRate == Ratio(24_000, 1001))
        let other = try read(Self.first, name: "cut_2.24fps.edl")
        #expect(other.composition.tracks[0].segments[0].timecodeRate == Ratio(24, 1))
    }

    @Test("a line M2 gives the speed; the record times say how long it lasts")
    func speed() throws {
        let found = try read(
            Self.head + "001 A V C 00:00:00:00 00:00:02:00 01:00:00:00 01:00:01:00\n"
                + "M2 A 050.0 00:00:00:00\n")
        let segment = found.composition.tracks[0].segments[0]
        #expect(segment.speed == Ratio(2, 1) && segment.length == time(25))
    }

    @Test("dissolves and wipes take the rest of the event before, and sound dissolves in both")
    func transitions() throws {
        let found = try read(
            Self.head + Self.first.replacing("  V  ", with: "  B  ")
                + "* FROM CLIP NAME: a\n"
                + "002 A B C 01:00:03:00 01:00:03:00 10:00:01:00 10:00:01:00\n"
                + "002 B B W001 010 00:00:01:00 00:00:03:00 10:00:01:00 10:00:03:00\n"
                + "* FROM CLIP NAME: a\n* TO CLIP NAME: b.mov\n"
                + "003 BL B C 00:00:00:00 00:00:00:00 10:00:03:00 10:00:03:00\n"
                + "003 c B D 005 00:00:01:00 00:00:02:00 10:00:03:00 10:00:04:00\n")
        let (pictures, sound) = (
            found.composition.tracks[0].segments, found.composition.tracks[1].segments
        )
        #expect(found.composition.tracks.map(\.media) == [.video, .audio])
        #expect(pictures.map(\.source) == ["/cut/a.mov", "/cut/b.mov", nil, "/cut/c.mp4"])
        #expect(pictures.map(\.length) == [35, 50, 5, 25].map { time($0) })
        #expect(pictures[0].range?.start == time(90_050))
        #expect(
            pictures.map(\.transition) == [
                nil, Transition(.wipeRight, time(10)), nil, Transition(.dissolve, time(5)),
            ])
        #expect(sound[1].transition == Transition(.dissolve, time(10)))
        #expect(found.composition.duration == time(100))
        // The list's first event fades in.
        let first = try read(Self.head + Self.first.replacing("  C  ", with: "  D 010  "))
        #expect(first.composition.tracks[0].segments.map(\.length) == [time(10), time(25)])
    }

    static let faults: [(String, String)] = [
        (first, "does not say its frame rate"),
        (head, "it has no events"),
        (head + first.replacing("  C  ", with: " D "), "event 001: needs the number of frames"),
        (head + first.replacing("  C  ", with: " D 026 "), "lasts 1.000 s, but its transitions"),
        (head + first.replacing("  C  ", with: " W007 010 "), "event 001: wipes (W007)"),
        (head + first.replacing("  C  ", with: " KB 010 "), "event 001: keys (KB)"),
        (
            head + first + "002 C V C 00:00:09:00 00:00:09:00 10:00:01:00 10:00:01:00\n"
                + "002 B V D 010 00:00:01:00 00:00:02:00 10:00:01:00 10:00:02:00\n",
            "event 002: its transition does not begin with what the event before it shows"
        ),
        (head + first.replacing("01:00:03:00", with: "01:00:03:01"), "takes 26 frames"),
        (
            head + first.replacing("01:00:03:00", with: "01:00:03:25"),
            "'01:00:03:25' is no timecode"
        ),
        (head + first.replacing("  V  ", with: "  X  "), "no channel 'X'"),
        (head + first.replacing("  A  ", with: "  Z  "), "is called 'Z'"),
        (head + first + "M2 A 000.0 01:00:02:00\n", "plays at 0.0 pictures a second"),
        (head + first + "M2 A -25.0 01:00:02:00\n", "plays at -25.0"),
        (head + first + "M2 A 050.0 01:00:02:05\n", "its speed changes within it"),
        (head + first + "* * FREEZE FRAME\n", "event 001: frozen pictures"),
        (head + first + first, "begins before the event ahead of it on V ends"),
        (head + first + "GPI 001\n", "neither an event nor a comment"),
        (head + first + "* SOURCE FILE: b.takeup.json\n", "another timeline"),
        (head + first + "FCM: DROP FRAME\n", "drop and non-drop frames are mixed"),
        ("* FRAME RATE: 25\nFCM: DROP FRAME\n" + first, "29.97 and 59.94"),
        (
            "FCM: DROP FRAME\n001 A V C 00:01:00:00 00:01:00:04 00:10:00:00 00:10:00:04\n",
            "'00:01:00:00' is no timecode"
        ),
        (head + "* FRAME RATE: 24\n" + first, "but 25 elsewhere"),
    ]

    @Test("what cannot be said is refused by the event's number", arguments: faults)
    func fault(text: String, words: String) throws {
        let error = #expect(throws: BatchListError.self) { try read(text) }
        guard case .invalid(_, let faults, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(faults.contains { $0.description.contains(words) }, "\(faults)")
    }

    @Test("a file that is named whole is not replaced by one that the reel is called")
    func wholeName() throws {
        let found = try read(Self.head + Self.first + "* FROM CLIP NAME: z.mov\n")
        #expect(found.composition.sources == ["/cut/z.mov"])
        let other = try read(Self.head + Self.first + "* FROM CLIP NAME: take 3 (LAY2)\n")
        #expect(other.composition.sources == ["/cut/a.mov"])
    }

    @Test("a name that may be two files is refused")
    func ambiguous() throws {
        let error = #expect(throws: BatchListError.self) {
            try read(Self.head + Self.first, names: ["a.mov", "A.mp4"])
        }
        #expect("\(String(describing: error))".contains("may be several files"))
    }
}
