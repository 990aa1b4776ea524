import Foundation
import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Timeline files")
final class TimelineFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func write(_ text: String, _ name: String = "story.takeup.json") throws -> String {
        let path = directory.file(name)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private let text = """
        {"version": 1, "tracks": [{"media": "all", "segments": [
            {"source": "a.mov", "start": 1.5, "duration": "1001/30000"},
            "clips/b.mov",
            {"source": "https://example.com/c.mov?key=1", "start": "0:01:00", "end": "0:01:02"},
            {"source": "/d.mov", "start": 3}, {"empty": "2.5"},
            {"source": "e.mov", "start": 1, "end": 4, "speed": "3/2"},
            {"source": "e.mov", "speed": 0.25}, {"empty": "1001/30000"},
            {"source": "f.mov", "start": 3600, "end": 3601, "timecode": "30000/1001"}]}]}
        """

    @Test("segments with and without a part are read, from the file's folder on")
    func reading() throws {
        let path = try write(text)
        let composition = try TimelineFile.read(path).composition
        let segments = composition.tracks[0].segments
        #expect(composition.tracks.map(\.media) == [.all])
        #expect(
            segments.map(\.source) == [
                directory.file("a.mov"), directory.file("clips/b.mov"),
                "https://example.com/c.mov?key=1", "/d.mov", nil, directory.file("e.mov"),
                directory.file("e.mov"), nil, directory.file("f.mov"),
            ])
        #expect(segments[4] == .empty(MediaTime(value: 5, timescale: 2)))
        #expect(segments[5].range?.duration == MediaTime(seconds: Int64(3)))
        #expect(segments[5].length == MediaTime(seconds: Int64(2)))
        #expect(segments[6].range == nil && segments[6].speed == Ratio(1, 4))
        #expect(segments[7] == .empty(MediaTime(value: 1001, timescale: 30000)))
        #expect(segments[8].timecodeRate == Ratio(30000, 1001))
        #expect(segments[0].range?.start == MediaTime(value: 3, timescale: 2))
        #expect(segments[0].range?.duration == MediaTime(value: 1001, timescale: 30000))
        #expect(segments[1].range == nil)
        #expect(segments[2].range?.end == MediaTime(seconds: Int64(62)))
        #expect(segments[3].range == TimeRange(start: MediaTime(seconds: Int64(3))))
    }

    @Test("what is written is read again")
    func roundTrip() throws {
        let composition = try TimelineFile.read(try write(text)).composition
        let again = try TimelineFile.read(
            try write(composition.timelineJSON.description, "b.takeup.json")
        ).composition
        #expect(again == composition)
        #expect(composition.needsTimeline)
        #expect(!Composition(joining: ["/a", "/b"]).needsTimeline)
    }

    static func segments(_ text: String) -> String {
        #"{"version": 1, "tracks": [{"segments": [\#(text)]}]}"#
    }

    private static func layout(_ fields: String) -> String {
        segments(#"{"source": "a", "layout": {\#(fields)}}"#)
    }

    static func track(_ fields: String) -> String {
        #"{"version": 1, "tracks": [{"segments": ["a"]}, "#
            + #"{"media": "audio", \#(fields), "segments": ["b"]}]}"#
    }

    @Test("tracks of sound have volumes and ramps, as factors or decibels")
    func volumes() throws {
        let ramps =
            #"[{"start": "0", "duration": "2", "from": "0", "to": "0.25"}, "#
            + #"{"start": "1001/30", "duration": 1, "from": 0.25, "to": "-60 dB"}]"#
        let text = Self.track(#""volume": "-12 dB", "volumeRamps": \#(ramps)"#)
        let composition = try TimelineFile.read(try write(text)).composition
        let volume = try #require(composition.tracks[1].volume)
        #expect(composition.tracks.map(\.media) == [.all, .audio])
        #expect(composition.tracks[0].volume == nil)
        #expect(abs(volume.level - 0.251189) < 1e-6)
        #expect(volume.ramps[0].from == 0 && volume.ramps[0].to == 0.25)
        #expect(volume.ramps[1].start == MediaTime(value: 1001, timescale: 30))
        #expect(abs(volume.ramps[1].to - 0.001) < 1e-12)
        let again = try TimelineFile.read(
            try write(composition.timelineJSON.description, "b.takeup.json")
        ).composition
        #expect(again == composition)
        for (text, level) in [("0.25", 0.25), (#""6dB""#, 1.9952623), (#""1e-2""#, 0.01)] {
            let read = try TimelineFile.read(
                try write(Self.track(#""volume": \#(text)"#))
            ).composition
            #expect(abs((read.tracks[1].volume?.level ?? 0) - level) < 1e-6)
        }
        // A volume that changes nothing makes no other work.
        let full = try TimelineFile.read(
            try write(Self.track(#""volume": "0 dB""#))
        ).composition
        #expect(full.tracks[1].volume == nil)
    }

    static let faults = [
        ("", "it is empty"),
        ("[]", "a timeline is an object"),
        (#"{"tracks": []}"#, "version: is missing"),
        (#"{"version": 2, "tracks": [{"segments": ["a"]}]}"#, "needs 1, but holds 2"),
        (#"{"version": 1}"#, "tracks: is missing"),
        (#"{"version": 1, "track": []}"#, "did you mean 'tracks'"),
        (#"{"version": 1, "tracks": [{}]}"#, "segments: is missing"),
        (#"{"version": 1, "tracks": [{"segments": []}]}"#, "needs a list of 1 to"),
        (#"{"version": 1, "tracks": [{"segments": [{"start": 1}]}]}"#, "source: is missing"),
        (
            #"{"version": 1, "tracks": [{"segments": [{"source": "a", "strat": 1}]}]}"#,
            "did you mean 'start'"
        ),
        (
            #"{"version": 1, "tracks": [{"segments": [{"source": "a", "start": "x"}]}]}"#,
            "needs a time"
        ),
        (
            #"{"version": 1, "tracks": [{"segments": [{"source": "a", "start": 2, "end": 1}]}]}"#,
            "after start"
        ),
        (
            #"{"version": 1, "tracks": [{"segments": [{"source": "a", "end": 2, "duration": 1}]}]}"#,
            "cannot stand beside"
        ),
        (
            #"{"version": 1, "tracks": [{"segments": [{"source": "a", "duration": 0}]}]}"#,
            "more than 0"
        ),
        (
            segments(#""a", {"source": "a", "start": "x"}"#),
            "track 1, segment 2, start: needs a time"
        ),
        (segments(#"{"empty": 0}, "a""#), "empty: has to be more than 0"),
        (segments(#"{"empty": "x"}, "a""#), "empty: needs a time"),
        (segments(#"{"empty": 1, "source": "a"}"#), "cannot stand beside other fields"),
        (segments(#"{"empty": 1}"#), "it has no sources"),
        (
            segments(#"{"source": "a", "start": 1, "timecode": "x"}"#),
            "timecode: needs a frame rate"
        ),
        (segments(#"{"source": "a", "timecode": "25"}"#), "timecode: needs a start"),
        (segments(#"{"source": "a.EDL"}"#), "another timeline"),
        (segments(#"{"source": "a", "speed": "fast"}"#), "speed: needs a number"),
        (segments(#"{"source": "a", "speed": "0:02"}"#), "speed: needs a number"),
        (segments(#"{"source": "a", "speed": 0}"#), "may be 1/100 to 100"),
        (segments(#"{"source": "a", "speed": 2, "pitch": "high"}"#), "pitch: may be keep"),
        (segments(#"{"source": "a", "speed": 101}"#), "but is 101"),
        (segments(#"{"source": "a", "speed": "1/101"}"#), "but is 1/101"),
        (#"{"version": 1, "tracks": [{"segments": ["b.takeup.json"]}]}"#, "another timeline"),
        (#"{"version": 1, "tracks": [{"segments": ["ftp://x/y"]}], "version": 1}"#, "comes twice"),
        (
            #"{"version": 1, "tracks": [{"media": "film", "segments": ["a"]}]}"#,
            "it may be all, video, audio"
        ),
        (
            #"{"version": 1, "background": "red", "tracks": [{"segments": ["a"]}]}"#,
            "needs a colour"
        ),
        (
            segments(#""a", {"transition": "dissolve"}, "b""#),
            "track 1, transition after segment 1, duration: is missing"
        ),
        (segments(#""a", {"transition": "melt", "duration": 1}, "b""#), "it may be dissolve, dip"),
        (
            segments(#""a", {"transition": "dip", "duration": 1, "color": "white"}, "b""#),
            "color: needs a colour"
        ),
        (segments(#"{"transition": "dip", "duration": 1}, "b""#), "no segment is before it"),
        (segments(#""b", {"transition": "dip", "duration": 1}"#), "no segment is behind it"),
        (
            segments(
                #""a", {"transition": "dip", "duration": 1}, {"transition": "dip", "duration": 1}, "b""#
            ), "another transition is before it"
        ),
        (layout(#""fit": "cover""#), "it may be fit, fill, stretch, blur"),
        (layout(#""opacity": 2"#), "an opacity of 2.0, but it may be 0 to 1"),
        (layout(#""opacity": "half""#), "opacity: needs a number"),
        (layout(#""area": {"x": 0, "y": 0, "width": 1}"#), "area, height: is missing"),
        (layout(#""area": {"x": 0, "y": 0, "width": 0, "height": 1}"#), "an area of"),
        (layout(#""crop": {"x": -1, "y": 0, "width": 1, "height": 1}"#), "a crop of"),
        (layout(#""opacityRamps": [{"start": 0, "duration": 1, "from": 0}]"#), "to: is missing"),
        (layout(#""opacityRamp": []"#), "did you mean 'opacityRamps'"),
        (
            layout(#""rotationRamps": [{"start": 0, "duration": 0, "from": 0, "to": 1}]"#),
            "ramp 1 lasts no time"
        ),
        (track(#""volume": "loud""#), "volume: needs a factor"),
        (track(#""volume": "0x1""#), "volume: needs a factor"),
        (track(#""volume": "nan""#), "volume: needs a factor"),
        (track(#""volume": 1e999"#), "volume: may be 0 to 10"),
        (track(#""volume": -1"#), "volume: may be 0 to 10"),
        (track(#""volume": "21 dB""#), "but is 21 dB"),
        (track(#""volumeRamps": {}"#), "volumeRamps: needs a list"),
        (track(#""volumeRamps": [{"start": 0, "duration": 1, "from": 0}]"#), "to: is missing"),
        (
            track(#""volumeRamps": [{"start": 0, "duration": 1, "form": 0, "to": 1}]"#),
            "did you mean 'from'"
        ),
        (
            track(#""volumeRamps": [{"start": 0, "duration": "x", "from": 0, "to": 1}]"#),
            "duration: needs a time"
        ),
        (
            track(
                #""volumeRamps": [{"start": 0, "duration": 2, "from": 0, "to": 1}, "#
                    + #"{"start": 1, "duration": 2, "from": 1, "to": 0}]"#),
            "track 2 has a ramp 2 that begins before"
        ),
        (track(#""duck": {"to": 0.5}"#), "duck, under: needs the number"),
        (track(#""duck": {"under": "1"}"#), "duck, under: needs the number"),
        (track(#""duck": {"under": 2}"#), "track 2 ducks under track 2"),
        (track(#""duck": {"under": 1, "to": "6 dB"}"#), "track 2 ducks to"),
        (track(#""duck": {"under": 1, "attack": 0}"#), "track 2 ducks within"),
        (track(#""duck": {"under": 1, "release": "x"}"#), "duck, release: needs a time"),
        (track(#""duck": {"under": 1, "treshold": 0.1}"#), "did you mean 'threshold'"),
        (#"{"version": 1, "tracks": [{"segments": ["a"]}]} x"#, "nothing may follow"),
    ]

    @Test("each fault is told", arguments: faults)
    func fault(text: String, words: String) throws {
        let path = try write(text)
        let error = #expect(throws: BatchListError.self) { try TimelineFile.read(path) }
        guard case .invalid(_, let faults, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(faults.contains { $0.description.contains(words) }, "\(faults)")
    }

    @Test("a job's source may be a timeline, as a file or in the job")
    func inJob() throws {
        let path = try write(text)
        let composition = try TimelineFile.read(path).composition
        var job = SingleJob(sources: [path], folder: "/")
        let spec = try job.spec(BatchOptions())
        #expect(spec.request.composition == composition)
        let inline = #"[{"source": \#(composition.timelineJSON)}]"#
        let list = directory.file("list.json")
        try inline.write(toFile: list, atomically: false, encoding: .utf8)
        let batch = try BatchList([.place(list)], options: BatchOptions(), from: "/")
        #expect(batch.jobs.map(\.request.composition) == [composition])
        // The same work has the same id, another part another one.
        #expect(batch.jobs[0].automaticID == spec.automaticID)
        var other = spec
        other.request.composition.tracks[0].segments[0].range = nil
        #expect(other.automaticID != spec.automaticID)
        // Beside others it stands for nothing that can be joined.
        job.sources = [path, "/b.mov"]
        #expect(throws: BatchFault.self) { try job.spec(BatchOptions()) }
        var strict = BatchOptions()
        strict.paths = PathRule(folders: ["/"], refused: [], uploads: nil)
        job.sources = [path]
        #expect(throws: BatchFault.self) { try job.spec(strict) }
    }
}
