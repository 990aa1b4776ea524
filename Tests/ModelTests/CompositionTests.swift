import Foundation
import TakeupModel
import TakeupTimeline
import Testing

@Suite("Compositions")
struct CompositionTests {
    private func seconds(_ value: Int64) -> MediaTime { MediaTime(seconds: value) }

    private let media = SourceMedia(
        source: "a.mov",
        lengths: [.video: MediaTime(seconds: Int64(10)), .audio: MediaTime(seconds: Int64(9))])

    @Test("an insert takes all tracks and adds those that are missing")
    func allTracks() throws {
        var composition = Composition(tracks: [])
        try composition.insert(of: media)
        #expect(composition.tracks.map(\.media) == [.video, .audio])
        #expect(composition.duration == seconds(10))
        #expect(composition.tracks[1].duration == seconds(9))
    }

    @Test("later media stay together behind tracks that end apart")
    func staysTogether() throws {
        var composition = Composition(tracks: [])
        try composition.insert(of: media)
        try composition.insert(of: media)
        let starts = composition.tracks.map { track in
            track.segments.dropLast().reduce(MediaTime.zero) { $0 + ($1.length ?? .zero) }
        }
        #expect(starts == [seconds(10), seconds(10)])
        var shortest = Composition(tracks: [])
        try shortest.insert(of: media, end: .shortest)
        #expect(shortest.tracks.map(\.duration) == [seconds(9), seconds(9)])
    }

    @Test("tracks that a source lacks move with the others")
    func pushes() throws {
        var composition = Composition(tracks: [])
        try composition.insert(of: media)
        let silent = SourceMedia(source: "b.mov", lengths: [.video: seconds(4)])
        try composition.insert(of: silent, at: seconds(2))
        #expect(composition.tracks[0].duration == seconds(14))
        #expect(
            composition.tracks[1].segments.map(\.length) == [seconds(2), seconds(4), seconds(7)])
        #expect(composition.tracks[1].segments[1].isEmpty)
        try composition.remove(TimeRange(start: seconds(2), duration: seconds(4)))
        #expect(composition.tracks.map(\.segments.count) == [1, 1])
    }

    @Test("a range beyond the source changes nothing")
    func beyond() {
        var composition = Composition(tracks: [])
        #expect(throws: CompositionError.self) {
            try composition.insert(TimeRange(start: seconds(8), duration: seconds(4)), of: media)
        }
        #expect(composition.tracks.isEmpty)
    }

    @Test("a composition that an earlier release stored is read, and a join is stored the same way")
    func stored() throws {
        let text =
            #"{"tracks":[{"media":"all","segments":[{"source":"a.mov"},{"source":"b.mov"}]}]}"#
        let read = try JSONDecoder().decode(Composition.self, from: Data(text.utf8))
        #expect(read == Composition(joining: ["a.mov", "b.mov"]))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(read), as: UTF8.self) == text)
    }

    @Test("a fault names the segment and the track")
    func faults() {
        func part(_ start: Int64, _ count: Int64) -> Composition.Segment {
            Composition.Segment(
                source: "a", range: TimeRange(start: seconds(start), duration: seconds(count)))
        }
        func fault(_ segments: [Composition.Segment]) -> String? {
            Composition(tracks: [.init(.all, segments: segments)]).fault
        }
        #expect(fault([part(0, 1), part(5, 2)]) == nil)
        #expect(fault([part(0, 1), part(5, 0)])?.hasPrefix("segment 2 of track 1") == true)
        #expect(fault([part(-1, 1)])?.contains("begins before") == true)
        #expect(fault([part(0, 1), .empty(seconds(1)), part(0, 1)]) == nil)
        #expect(fault([part(0, 1), .empty(.zero)])?.contains("lasts no time") == true)
        #expect(fault([.empty(seconds(1))]) == "it has no sources")
        #expect(fault([]) == "it has no sources")
        func played(_ speed: Ratio, _ range: TimeRange? = nil) -> String? {
            fault([Composition.Segment(source: "a", range: range, speed: speed)])
        }
        let range = TimeRange(start: seconds(1), duration: seconds(10))
        for range in [nil, range, TimeRange(start: seconds(1))] {
            #expect(played(Ratio(1, 100), range) == nil && played(Ratio(100, 1), range) == nil)
            #expect(played(Ratio(101, 1), range)?.contains("a speed of 101") == true)
            #expect(played(Ratio(1, 101), range)?.contains("1/100 to 100") == true)
            #expect(played(Ratio(0, 1), range) != nil && played(Ratio(-1, 1), range) != nil)
        }
        var unclear = Composition.Segment(source: "a")
        unclear.duration = seconds(5)
        #expect(fault([unclear])?.contains("where its part of the source ends") == true)
    }

    @Test("a speed is exact, and that of a stated part is its length on the track")
    func speeds() throws {
        let range = TimeRange(start: seconds(1), duration: MediaTime(value: 1001, timescale: 30))
        let part = Composition.Segment(source: "a", range: range, speed: Ratio(7, 3))
        #expect(part.length == MediaTime(value: 1001 * 3, timescale: 210))
        #expect(part.speed == Ratio(7, 3) && part.changesSpeed && part.openSpeed == nil)
        let open = Composition.Segment(source: "a", speed: Ratio(1, 2))
        #expect(open.speed == Ratio(1, 2) && open.length == nil)
        #expect(Composition.Segment(source: "a", speed: Ratio(3, 3)) == .init(source: "a"))
        var track = Composition.Track(.all, segments: [part])
        try track.scale(TimeRange(start: .zero, duration: seconds(14)), to: seconds(28))
        #expect(track.segments[0].speed == Ratio(7, 6))
    }

    @Test("empty time and speeds are parts of a composition's key")
    func keys() {
        let whole = Composition.Segment(source: "a")
        var stretched = whole
        stretched.duration = seconds(2)
        let range = TimeRange(start: .zero, duration: seconds(4))
        let segments: [[Composition.Segment]] = [
            [whole], [.empty(seconds(2)), whole], [whole, .empty(seconds(2))],
            [.empty(seconds(3)), whole], [stretched], [.empty(seconds(2)), stretched],
            [stretched, .empty(seconds(2))], [.init(source: "a", speed: Ratio(2, 1))],
            [.init(source: "a", speed: Ratio(1, 2))], [.init(source: "a", range: range)],
            [.init(source: "a", range: range, speed: Ratio(2, 1))],
        ]
        let keys = segments.map { Composition(tracks: [.init(.all, segments: $0)]).parts }
        #expect(keys[0] == nil && Set(keys).count == segments.count)
    }
}
