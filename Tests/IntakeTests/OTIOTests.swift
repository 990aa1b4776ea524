import TakeupIntake
import TakeupModel
import TakeupTimeline
import Testing

@Suite("OpenTimelineIO files")
struct OTIOTests {
    static func time(_ value: Double, _ rate: Double) -> String {
        #"{"OTIO_SCHEMA": "RationalTime.1", "value": \#(value), "rate": \#(rate)}"#
    }

    static func range(_ start: Double, _ count: Double, _ rate: Double = 25) -> String {
        #"{"OTIO_SCHEMA": "TimeRange.1", "start_time": \#(time(start, rate)), "#
            + #""duration": \#(time(count, rate))}"#
    }

    static func media(_ url: String, _ available: String = "null") -> String {
        #"{"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\#(url)", "#
            + #""available_range": \#(available)}"#
    }

    /// A clip of version 2 with one media reference.
    static func clip(
        _ name: String, _ media: String = OTIOTests.media("a.mov"),
        _ range: String = OTIOTests.range(0, 10), effects: String = "", more: String = ""
    ) -> String {
        #"{"OTIO_SCHEMA": "Clip.2", "name": "\#(name)", "source_range": \#(range), "#
            + #""effects": [\#(effects)], "media_references": {"M": \#(media)}, "#
            + #""active_media_reference_key": "M"\#(more)}"#
    }

    static func gap(_ count: Double) -> String {
        #"{"OTIO_SCHEMA": "Gap.1", "source_range": \#(range(0, count))}"#
    }

    static func track(_ name: String, _ kind: String, _ items: String...) -> String {
        #"{"OTIO_SCHEMA": "Track.1", "name": "\#(name)", "kind": "\#(kind)", "#
            + #""children": [\#(items.joined(separator: ", "))]}"#
    }

    static func timeline(_ tracks: String...) -> String {
        #"{"OTIO_SCHEMA": "Timeline.1", "metadata": {"deep": [NaN, -Infinity]}, "tracks": "#
            + #"{"OTIO_SCHEMA": "Stack.1", "children": [\#(tracks.joined(separator: ", "))]}}"#
    }

    static let late = range(20, 10)

    static func dissolve(_ before: Double, _ behind: Double, _ kind: String = "SMPTE_Dissolve")
        -> String
    {
        #"{"OTIO_SCHEMA": "Transition.1", "transition_type": "\#(kind)", "#
            + #""in_offset": \#(time(before, 25)), "out_offset": \#(time(behind, 25))}"#
    }

    static func warp(_ scalar: Double, _ schema: String = "LinearTimeWarp.1") -> String {
        #"{"OTIO_SCHEMA": "\#(schema)", "name": "e", "time_scalar": \#(scalar)}"#
    }

    private func read(_ text: String) throws -> TimelineFile.Reading {
        try TimelineFile.read(Array(text.utf8), name: "/cut/story.otio") { [] }
    }

    private func seconds(_ count: Int64, _ rate: Int64 = 25) -> MediaTime {
        MediaTime(value: count, timescale: rate)
    }

    @Test("a part counts from the start of its media's own time; a gap is empty time")
    func parts() throws {
        let media = Self.media("sub/a%20b.mov", Self.range(90_000, 500))
        let found = try read(
            Self.timeline(
                Self.track(
                    "V1", "Video", Self.clip("one", media, Self.range(90_010, 20)), Self.gap(5),
                    Self.clip("two", Self.media("file:///m/c.mov"), Self.range(3, 4)))))
        let track = found.composition.tracks[0]
        #expect(found.composition.tracks.count == 1 && track.media == .video)
        #expect(
            track.segments == [
                .init(
                    source: "/cut/sub/a b.mov",
                    range: TimeRange(start: seconds(10), duration: seconds(20))),
                .empty(seconds(5)),
                .init(
                    source: "/m/c.mov", range: TimeRange(start: seconds(3), duration: seconds(4))),
            ])
    }

    @Test(
        "rates of NTSC are exact fractions",
        arguments: [
            (23.976023976023978, 24), (23.976, 24), (23.98, 24), (29.97, 30), (59.94, 60),
        ] as [(Double, Int64)])
    func rates(rate: Double, base: Int64) throws {
        let clip = Self.clip("c", Self.media("a.mov"), Self.range(100, 1000, rate))
        let found = try read(Self.timeline(Self.track("V1", "Video", clip)))
        #expect(
            found.composition.tracks[0].segments[0].range
                == TimeRange(
                    start: MediaTime(value: 100 * 1001, timescale: base * 1000),
                    duration: MediaTime(value: 1000 * 1001, timescale: base * 1000)))
    }

    @Test("sound that is cut as the pictures are is one track with them")
    func together() throws {
        let clips = [Self.clip("a"), Self.clip("b", Self.media("b.mov"))].joined(separator: ", ")
        let found = try read(
            Self.timeline(
                Self.track("V1", "Video", clips), Self.track("A1", "Audio", clips),
                Self.track("A2", "Audio", clips, Self.gap(50)), Self.track("A3", "Audio")))
        #expect(found.composition.tracks.map(\.media) == [.all])
        #expect(found.composition.tracks[0].segments.count == 3)
        let sound = try read(Self.timeline(Self.track("A1", "Audio", clips)))
        #expect(sound.composition.tracks.map(\.media) == [.audio])
    }

    @Test("a speed changes what is taken of the source, not how long the clip lasts")
    func speeds() throws {
        let clip = Self.clip("fast", effects: Self.warp(2.5))
        let found = try read(Self.timeline(Self.track("V1", "Video", clip)))
        let segment = found.composition.tracks[0].segments[0]
        #expect(segment.length == seconds(10) && segment.range?.duration == seconds(25))
        #expect(segment.speed == Ratio(5, 2))
    }

    @Test("what is not enabled is a gap, and a nested track of one kind is taken as it is cut")
    func nested() throws {
        let inner = Self.track("in", "Video", Self.clip("x"), Self.clip("y", Self.media("b.mov")))
        let stack =
            #"{"OTIO_SCHEMA": "Stack.1", "source_range": \#(Self.range(5, 10)), "#
            + #""children": [\#(inner)]}"#
        let off = Self.clip("off", "null", more: #", "enabled": false"#)
        let found = try read(Self.timeline(Self.track("V1", "Video", off, stack)))
        #expect(
            found.composition.tracks[0].segments == [
                .empty(seconds(10)),
                .init(
                    source: "/cut/a.mov",
                    range: TimeRange(start: seconds(5), duration: seconds(5))),
                .init(
                    source: "/cut/b.mov", range: TimeRange(start: .zero, duration: seconds(5))),
            ])
    }

    @Test("tracks of pictures that never overlap are one")
    func checkerboard() throws {
        let found = try read(
            Self.timeline(
                Self.track("V1", "Video", Self.clip("a"), Self.gap(10), Self.clip("c")),
                Self.track("V2", "Video", Self.gap(10), Self.clip("b", Self.media("b.mov")))))
        #expect(
            found.composition.sources == ["/cut/a.mov", "/cut/b.mov", "/cut/a.mov"])
    }

    @Test("markers and the timeline's own timecode are told")
    func omitted() throws {
        let marker = #"{"OTIO_SCHEMA": "Marker.2", "name": "look"}"#
        let clip = Self.clip("c", more: #", "markers": [\#(marker)]"#)
        let found = try read(Self.timeline(Self.track("V1", "Video", clip)))
        #expect(found.omitted.count == 1)
        #expect(
            found.omitted[0].description.contains("track 'V1', clip 'c': 1 marker is left out"))
    }

    static let faults: [(String, String)] = [
        ("", "it is empty"), ("[]", "a timeline is an object"),
        (#"{"OTIO_SCHEMA": "Timeline.9"}"#, "reads Timeline up to 1"),
        (#"{"OTIO_SCHEMA": "SerializableCollection.1"}"#, "instead of a timeline"),
        (timeline(), "it has no sources"),
        (
            timeline(track("V1", "Video", clip("c", #"{"OTIO_SCHEMA": "MissingReference.1"}"#))),
            "track 'V1', clip 'c': has no media"
        ),
        (
            timeline(track("V1", "Video", clip("c", #"{"OTIO_SCHEMA": "GeneratorReference.1"}"#))),
            "clip 'c': its media is no file, but generated pictures"
        ),
        (
            timeline(
                track("V1", "Video", clip("a"), #"{"OTIO_SCHEMA": "Transition.1"}"#, clip("b"))),
            "track 'V1', transition 2 cannot be exported"
        ),
        (
            timeline(
                track("V1", "Video", clip("a"), dissolve(2, 3, "Custom_Transition"), clip("b"))),
            "transition 2 (Custom_Transition) cannot be exported: only dissolves"
        ),
        (
            timeline(track("V1", "Video", clip("a"), dissolve(2, 3), clip("b"))),
            "transition 2: takes 0.080 s before the start of clip 'b'"
        ),
        (
            timeline(track("V1", "Video", dissolve(2, 3), clip("b"))),
            "begins before the track does"
        ),
        (
            timeline(track("V1", "Video", clip("a"), dissolve(2, 3))), "ends behind the track"
        ),
        (
            timeline(track("V1", "Video", clip("a"), dissolve(2, 0), dissolve(2, 0), clip("b"))),
            "follows another transition"
        ),
        (
            timeline(
                track("V1", "Video", clip("a"), dissolve(0, 11), clip("b", media("b.mov"), late))),
            "lasts 0.400 s, but its transitions 0.440 s"
        ),
        (
            timeline(track("V1", "Video", clip("c", effects: warp(0, "FreezeFrame.1")))),
            "clip 'c': frozen pictures"
        ),
        (timeline(track("V1", "Video", clip("c", effects: warp(-1)))), "but is -1.0"),
        (timeline(track("V1", "Video", clip("c", effects: warp(1, "Blur.1")))), "the effect 'e'"),
        (timeline(track("S", "Subtitle", clip("a"))), "of the kind 'Subtitle'"),
        (
            timeline(track("V1", "Video", clip("c", media("a.mov", range(20, 9)), range(10, 5)))),
            "clip 'c': begins 0.400 s before its media"
        ),
        (timeline(track("V1", "Video", clip("c", media("b.OTIO")))), "another timeline"),
        (timeline(track("V1", "Video", clip("c", media("D:/b.mov")))), "a path of Windows"),
        (timeline(track("V1", "Video", clip("c", media("file://far/b.mov")))), "on the host 'far'"),
        (timeline(track("V1", "Video", clip("c", media("ftp://x/b.mov")))), "neither a file"),
        (timeline(track("V1", "Video", clip("c", media("a.mov"), range(0, 0)))), "lasts no time"),
        (
            timeline(track("V1", "Video", clip("c", media("a.mov"), range(0, 5, 0)))),
            "rate: track 'V1', clip 'c': may be 0.001 to"
        ),
        (String(repeating: #"{"a": ["#, count: 100), "nested too deeply"),
    ]

    @Test("what cannot be said is refused by the names of track and item", arguments: faults)
    func fault(text: String, words: String) throws {
        let error = #expect(throws: BatchListError.self) { try read(text) }
        guard case .invalid(_, let faults, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(faults.contains { $0.description.contains(words) }, "\(faults)")
    }

    @Test("sound of its own is mixed; the same sound twice is heard once")
    func mixed() throws {
        let (pictures, music) = (
            Self.clip("a"), Self.clip("s", Self.media("s.wav"), Self.range(0, 9))
        )
        let text = Self.timeline(
            Self.track("V1", "Video", pictures), Self.track("A1", "Audio", pictures),
            Self.track("A2", "Audio", pictures), Self.track("A3", "Audio", music))
        let tracks = try read(text).composition.tracks
        #expect(tracks.map(\.media) == [.all, .audio])
        #expect(
            tracks.map { $0.segments.compactMap(\.source) } == [["/cut/a.mov"], ["/cut/s.wav"]])
        let apart = Self.timeline(
            Self.track("V1", "Video", pictures), Self.track("A1", "Audio", music))
        #expect(try read(apart).composition.tracks.map(\.media) == [.video, .audio])
    }

    @Test("a written timeline is read again unchanged", arguments: ["all", "video", "audio"])
    func written(media: String) throws {
        let segments =
            #""a b%.mov", {"source": "/x/c.mov", "start": "1001/30000", "duration": "1001/24000"}, "#
            + #"{"empty": "2.5"}, {"source": "https://example.com/d.mp4?k=1", "end": 4, "speed": "7/3"}"#
        let text =
            #"{"version": 1, "tracks": [{"media": "\#(media)", "segments": [\#(segments)]}]}"#
        let first = try TimelineFile.read(Array(text.utf8), name: "/cut/a.takeup.json") { [] }
        let out = try TimelineFile.text(of: first.composition, at: "/cut/b.otio")
        #expect(out.contains(#""a%20b%25.mov""#) && out.contains(#""file:///x/c.mov""#))
        #expect(try read(out).composition == first.composition)
        var joined = first.composition
        joined.tracks[0].segments = Array(joined.tracks[0].segments[1...3])
        joined.tracks[0].segments[1].transition = Transition(
            .dissolve, MediaTime(value: 1001, timescale: 60000))
        joined.tracks[0].segments[2].transition = Transition(.dissolve, seconds(3))
        joined.tracks.append(
            .init(.video, segments: [.init(source: "/x/e.mov", range: .init(start: 0, end: 2))]))
        if media != "audio" {
            let again = try read(try TimelineFile.text(of: joined, at: "/cut/b.otio")).composition
            #expect(again == joined)
        }
        joined.tracks[0].segments[2].transition?.kind = .dip
        #expect("\(refusal(joined))".contains("the dip before segment 3 of track 1"))
        joined.tracks[0].segments[2].transition = nil
        joined.tracks[0].layout = Layout(fit: .fill)
        #expect("\(refusal(joined))".contains("the layout of track 1"))
        var open = first.composition
        open.tracks[0].segments[1].range = TimeRange(start: seconds(1))
        #expect(throws: BatchListError.self) {
            try TimelineFile.text(of: open, at: "/cut/b.otio")
        }
    }

    private func refusal(_ composition: Composition) -> String {
        let error = #expect(throws: BatchListError.self) {
            try TimelineFile.text(of: composition, at: "/cut/b.otio")
        }
        return error.map(String.init(describing:)) ?? ""
    }
}
