import TakeupExport
import TakeupFFmpeg
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Exports of parts of sources", .tags(.media))
struct CompositionPartsTests {
    /// Two seconds of pictures numbered from `first` on, 25 a second, with a tone of its own.
    private func clip(_ name: String, first: Int, tone: Int, _ codec: [String]) throws -> Clip {
        try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: 2, first: first)
                + Clip.tone(frequency: tone, seconds: 2) + codec)
    }

    private func part(_ source: String, _ start: Int64, _ end: Int64?) -> Composition.Segment {
        let first = MediaTime(value: start, timescale: 25)
        let range =
            end.map { TimeRange(start: first, end: MediaTime(value: $0, timescale: 25)) }
            ?? TimeRange(start: first)
        return Composition.Segment(source: source, range: range)
    }

    private func export(
        _ segments: [Composition.Segment], in trial: ExportTrial,
        settings: ExportSettings = ExportSettings()
    ) async throws -> ExportReport {
        let request = ExportRequest(
            Composition(tracks: [.init(.all, segments: segments)]),
            preset: try ExportTrial.preset(), settings: settings)
        let report = try await ExportSession(request).export(to: trial.file("out.mp4"))
        #expect(try MediaTools.decodeErrors(report.output) == [])
        return report
    }

    @Test("a source of many parts is one source of the plan, inspected once")
    func inspectedOnce() async throws {
        let source = try clip("a.mp4", first: 1, tone: 440, Self.codecs[0].1).path
        let bytes = try FileSource(path: source)
        let asset = Asset(source: bytes, name: source)
        _ = try await asset.inspect()
        let once = bytes.bytesRead
        let request = ExportRequest(
            Composition(tracks: [
                .init(.all, segments: (0..<40).map { part(source, $0, $0 + 5) })
            ]), preset: try ExportTrial.preset())
        let plan = try await ExportSession(
            request, assets: Array(repeating: asset, count: 40)
        ).plan()
        #expect(plan.sources == [source] && plan.video?.segments.count == 40)
        // One part besides, which shows that none of them can be copied.
        #expect(bytes.bytesRead < 2 * once)
        // By their paths, too.
        #expect(try await ExportSession(request).plan() == plan)
    }

    private static let codecs = [
        ("mp4", ["-c:v", "libx264", "-g", "50", "-bf", "3", "-c:a", "aac"]),
        ("avi", ["-c:v", "mpeg4", "-g", "50", "-q:v", "3", "-c:a", "pcm_s16le"]),
        ("mkv", ["-c:v", "mpeg4", "-g", "30", "-q:v", "3", "-c:a", "flac"]),
    ]

    @Test("every picture of each part comes out, in order, and no other", arguments: codecs)
    func exact(ending: String, codec: [String]) async throws {
        let a = try clip("a.\(ending)", first: 0, tone: 440, codec).path
        let b = try clip("b.\(ending)", first: 100, tone: 880, codec).path
        let trial = try ExportTrial()
        let report = try await export(
            [part(a, 7, 20), part(b, 31, nil), part(a, 0, 5), part(b, 3, 4)], in: trial)
        let wanted = Array(7..<20) + Array(131..<150) + Array(0..<5) + [103]
        #expect(try NumberedPictures.numbers(in: report.output) == wanted)
        #expect(report.loss == nil)
        let shown = try NumberedPictures.shown(in: report.output)
        for (index, picture) in shown.enumerated() {
            #expect(abs(picture.time - Double(index) / 25) < 0.0015)
        }
        let sound = try Sound(report.output)
        #expect(sound.amplitude(of: 440, in: 0, from: 0.15) > 0.05)
        #expect(sound.amplitude(of: 880, in: 0, from: 0.15) < 0.01)
        #expect(sound.amplitude(of: 880, in: 0, from: 0.75) > 0.05)
    }

    @Test("a range of the export is a range of the composition")
    func rangeOfComposition() async throws {
        let a = try clip("a.mp4", first: 0, tone: 440, Self.codecs[0].1).path
        let b = try clip("b.mp4", first: 100, tone: 880, Self.codecs[0].1).path
        var settings = ExportSettings()
        settings.timeRange = TimeRange(
            start: MediaTime(value: 5, timescale: 25), end: MediaTime(value: 20, timescale: 25))
        let trial = try ExportTrial()
        let report = try await export(
            [part(a, 10, 20), part(b, 30, 50)], in: trial, settings: settings)
        let wanted = Array(15..<20) + Array(130..<140)
        #expect(try NumberedPictures.numbers(in: report.output) == wanted)
    }

    @Test("a part that reaches beyond its source is told, one that begins behind it is refused")
    func beyond() async throws {
        let a = try clip("a.mp4", first: 0, tone: 440, Self.codecs[0].1).path
        let first = try ExportTrial()
        let report = try await export([part(a, 40, 80), part(a, 0, 2)], in: first)
        #expect(try NumberedPictures.numbers(in: report.output) == Array(40..<50) + [0, 1])
        #expect(
            report.warnings.contains {
                $0.code == "rangeShortened" && $0.message.contains("part 1")
            })
        let trial = try ExportTrial()
        let error = await #expect(throws: ExportError.self) {
            _ = try await export([part(a, 0, 10), part(a, 60, 70)], in: trial)
        }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains("part 2 begins at"))
        #expect(try trial.names() == [])
    }

    @Test("a part counts over the seams of a file that is several files, one after another")
    func overSeams() async throws {
        let a = try clip("a.mp4", first: 0, tone: 440, Self.codecs[0].1)
        let b = try clip("b.mp4", first: 50, tone: 880, Self.codecs[0].1)
        let both = try Clip.concatenated("both.mp4", [a, b]).path
        let trial = try ExportTrial()
        let report = try await export([part(both, 45, 55), part(a.path, 1, 3)], in: trial)
        #expect(try NumberedPictures.numbers(in: report.output) == Array(45..<55) + [1, 2])
    }
}
