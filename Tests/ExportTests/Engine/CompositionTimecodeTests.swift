import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Exports of cuts that editing programs made", .tags(.media))
struct CompositionTimecodeTests {
    private func clip(_ name: String, rate: String = "25", timecode: String?) throws -> String {
        try Clip.make(
            name,
            NumberedPictures.source(rate: rate, seconds: 2, first: 0)
                + Clip.tone(frequency: 440, seconds: 2)
                + ["-c:v", "libx264", "-g", "50", "-bf", "2", "-c:a", "aac"]
                + (timecode.map { ["-timecode", $0] } ?? [])
        ).path
    }

    private func part(
        _ source: String, _ start: Int64, _ count: Int64, rate: Ratio? = Ratio(25, 1)
    ) -> Composition.Segment {
        let rate25 = rate ?? Ratio(25, 1)
        func time(_ frames: Int64) -> MediaTime {
            MediaTime(value: frames * rate25.denominator, timescale: rate25.numerator)
        }
        var segment = Composition.Segment(
            source: source, range: TimeRange(start: time(start), duration: time(count)))
        segment.timecodeRate = rate
        return segment
    }

    private func export(
        _ media: Composition.Media, _ segments: [Composition.Segment], in trial: ExportTrial
    ) async throws -> ExportReport {
        let request = ExportRequest(
            Composition(tracks: [.init(media, segments: segments)]),
            preset: try ExportTrial.preset(), settings: ExportSettings())
        return try await ExportSession(request).export(to: trial.file("out.mp4"))
    }

    @Test("a part that counts in timecode begins where the source's own timecode says")
    func timecode() async throws {
        let late = try clip("late.mov", timecode: "01:00:00:00")
        let plain = try clip("plain.mov", timecode: nil)
        let trial = try ExportTrial()
        let report = try await export(
            .all, [part(late, 90_007, 13), part(plain, 3, 4), part(late, 5, 2, rate: nil)],
            in: trial)
        #expect(
            try NumberedPictures.numbers(in: report.output)
                == Array(7..<20) + Array(3..<7) + [5, 6])
    }

    @Test("dropped numbers of the source's timecode are counted")
    func dropFrame() async throws {
        let source = try clip("drop.mov", rate: "30000/1001", timecode: "00:00:59;20")
        let trial = try ExportTrial()
        // 00:01:00;04 is frame 1802 of the day; the source begins at frame 1790.
        let report = try await export(
            .all, [part(source, 1802, 5, rate: Ratio(30_000, 1001))], in: trial)
        #expect(try NumberedPictures.numbers(in: report.output) == Array(12..<17))
    }

    @Test("a timecode of another rate, or before the source's, is refused")
    func refused() async throws {
        let late = try clip("late.mov", timecode: "01:00:00:00")
        for (segment, words) in [
            (part(late, 89_999, 5), "begins before"),
            (part(late, 86_400, 5, rate: Ratio(24, 1)), "counts timecode at 24"),
        ] {
            let trial = try ExportTrial()
            let error = await #expect(throws: ExportError.self) {
                _ = try await export(.all, [segment], in: trial)
            }
            #expect("\(error.map(String.init(describing:)) ?? "")".contains(words))
            #expect(try trial.names() == [])
        }
    }

    @Test("a track of pictures has no sound, and one of sound has no pictures")
    func alone() async throws {
        let source = try clip("a.mov", timecode: nil)
        let first = try ExportTrial()
        let segments = [part(source, 7, 5, rate: nil), .empty(1), part(source, 0, 3, rate: nil)]
        let pictures = try await export(.video, segments, in: first)
        let streams = try MediaTools.probe(pictures.output).streams
        #expect(streams.map(\.type) == ["video"])
        let numbers = try NumberedPictures.numbers(in: pictures.output)
        #expect(Array(numbers.prefix(5)) == Array(7..<12))
        #expect(Array(numbers.suffix(3)) == Array(0..<3))
        let second = try ExportTrial()
        let sound = try await export(.audio, segments, in: second)
        #expect(try MediaTools.probe(sound.output).streams.map(\.type) == ["audio"])
        #expect(abs(sound.duration.seconds - 1.32) < 0.03)
    }
}
