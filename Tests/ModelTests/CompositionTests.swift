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
        #expect(fault([part(0, 1), .empty(seconds(1)), part(0, 1)])?.contains("empty") == true)
        #expect(fault([]) == "it has no sources")
    }
}
