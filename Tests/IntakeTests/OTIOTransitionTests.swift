import TakeupIntake
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Transitions and layers of OpenTimelineIO files")
struct OTIOTransitionTests {
    private func read(_ text: String) throws -> TimelineFile.Reading {
        try TimelineFile.read(Array(text.utf8), name: "/cut/story.otio") { [] }
    }

    private func seconds(_ count: Int64, _ rate: Int64 = 25) -> MediaTime {
        MediaTime(value: count, timescale: rate)
    }

    @Test("a dissolve takes handles of both clips, and nothing moves")
    func dissolves() throws {
        let next = OTIOTests.clip("b", OTIOTests.media("b.mov"), OTIOTests.late)
        let text = OTIOTests.timeline(
            OTIOTests.track(
                "V1", "Video", OTIOTests.clip("a"), OTIOTests.dissolve(2, 3), next, OTIOTests.gap(5)
            ),
            OTIOTests.track("A1", "Audio", OTIOTests.clip("a"), OTIOTests.dissolve(2, 3), next))
        let tracks = try read(text).composition.tracks
        #expect(tracks.map(\.media) == [.all])
        let segments = tracks[0].segments
        #expect(segments[0].range == TimeRange(start: seconds(0), duration: seconds(13)))
        #expect(segments[1].range == TimeRange(start: seconds(18), duration: seconds(12)))
        #expect(segments.map(\.transition) == [nil, Transition(.dissolve, seconds(5)), nil])
        #expect(tracks[0].duration == seconds(25))
        // Beside the same pictures, sound without the dissolve is sound of its own.
        let cut = OTIOTests.timeline(
            OTIOTests.track("V1", "Video", OTIOTests.clip("a"), OTIOTests.dissolve(2, 3), next),
            OTIOTests.track("A1", "Audio", OTIOTests.clip("a"), next))
        #expect(try read(cut).composition.tracks.map(\.media) == [.video, .audio])
    }

    @Test("a dissolve at an end of a track or beside a gap fades, also at another speed")
    func fades() throws {
        let fast = OTIOTests.clip(
            "b", OTIOTests.media("b.mov"), OTIOTests.late, effects: OTIOTests.warp(2))
        let text = OTIOTests.timeline(
            OTIOTests.track(
                "V1", "Video", OTIOTests.dissolve(0, 4), fast, OTIOTests.dissolve(1, 2),
                OTIOTests.gap(10),
                OTIOTests.dissolve(2, 0), fast, OTIOTests.dissolve(5, 0)))
        let segments = try read(text).composition.tracks[0].segments
        #expect(
            segments.map(\.length) == [4, 12, 11, 12, 5].map { seconds($0) })
        let lasting: [Int64?] = [nil, 4, 3, 2, 5]
        #expect(
            segments.map { $0.transition?.duration } == lasting.map { $0.map { seconds($0) } })
        // Twice the source: 20/25 s, and 2 frames more.
        #expect(segments[1].range == TimeRange(start: seconds(20), duration: seconds(24)))
        #expect(segments[3].range == TimeRange(start: seconds(16), duration: seconds(24)))
        #expect(try read(text).composition.tracks[0].duration == seconds(30))
    }

    @Test("tracks of pictures that overlap lie above each other, each with its sound")
    func layers() throws {
        let (low, high) = (
            OTIOTests.clip("a"),
            OTIOTests.clip("b", OTIOTests.media("b.mov"), OTIOTests.range(0, 5))
        )
        let text = OTIOTests.timeline(
            OTIOTests.track("V1", "Video", low),
            OTIOTests.track("V2", "Video", OTIOTests.gap(2), high),
            OTIOTests.track("A1", "Audio", low))
        let tracks = try read(text).composition.tracks
        #expect(tracks.map(\.media) == [.all, .video])
        #expect(
            tracks.map { $0.segments.compactMap(\.source) } == [["/cut/a.mov"], ["/cut/b.mov"]])
    }
}
