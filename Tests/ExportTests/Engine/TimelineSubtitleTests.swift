import Foundation
import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Subtitles of timelines", .tags(.media))
struct TimelineSubtitleTests {
    private struct Cue: Equatable {
        let start: Double
        let end: Double
        let text: String
    }

    private static let script = """
        1
        00:00:00,500 --> 00:00:01,250
        alpha

        2
        00:00:01,400 --> 00:00:01,600
        <i>beta</i>

        3
        00:00:01,901 --> 00:00:02,800
        gamma

        """

    /// Three seconds with cues of a language.
    private func clip(_ name: String, language: String, _ trial: ExportTrial) throws -> String {
        let film = try LayerFixture.flat(
            "flat-\(name).mp4", .init(60, 128, 128), size: "320x192", seconds: 3)
        try Data(Self.script.utf8).write(to: URL(filePath: trial.file("\(name).srt")))
        let out = trial.file("\(name).mkv")
        _ = try Subprocess.run(
            "ffmpeg",
            [
                "-v", "error", "-i", film, "-i", trial.file("\(name).srt"), "-map", "0", "-map",
                "1",
                "-c", "copy", "-c:s", "srt", "-metadata:s:s:0", "language=\(language)", out,
            ]
        ).requireSuccess()
        return out
    }

    /// The cues of one track as FFmpeg reads them.
    private func cues(_ path: String, track: Int = 0) throws -> [Cue] {
        let text = try Subprocess.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:\(track)", "-f", "srt", "-"]
        ).requireSuccess().outputText
        func seconds(_ time: Substring) -> Double {
            let parts = time.replacing(",", with: ".").split(separator: ":").map { Double($0) ?? 0 }
            return parts.reduce(0) { $0 * 60 + $1 }
        }
        return text.components(separatedBy: "\n\n").compactMap { block -> Cue? in
            let lines = block.split(separator: "\n")
            guard lines.count >= 3 else { return nil }
            let times = lines[1].split(separator: " ")
            let words = String(lines[2].replacing(/<[^>]*>/, with: ""))
            return Cue(start: seconds(times[0]), end: seconds(times[2]), text: words)
        }
    }

    private func part(
        _ source: String, _ start: MediaTime, _ duration: MediaTime, speed: Ratio? = nil
    ) -> Composition.Segment {
        .init(source: source, range: TimeRange(start: start, duration: duration), speed: speed)
    }

    private func export(
        _ composition: Composition, _ trial: ExportTrial,
        settings: ExportSettings = ExportSettings()
    ) async throws -> ExportReport {
        #expect(composition.fault == nil)
        let request = ExportRequest(
            composition, preset: try ExportTrial.preset(), settings: settings)
        let report = try await ExportSession(request).export(to: trial.file("out.mp4"))
        #expect(try MediaTools.decodeErrors(report.output) == [])
        return report
    }

    @Test("cues of the sources are cut, moved and scaled with their parts")
    func parts() async throws {
        let trial = try ExportTrial()
        let a = try clip("a", language: "eng", trial), b = try clip("b", language: "eng", trial)
        let report = try await export(
            Composition(tracks: [
                .init(
                    .all,
                    segments: [
                        part(a, 1, 1), .empty(0.5), part(b, 0, 3, speed: Ratio(2, 1)),
                        part(a, 0, 1),
                    ])
            ]), trial)
        let wanted = [
            Cue(start: 0, end: 0.25, text: "alpha"), Cue(start: 0.4, end: 0.6, text: "beta"),
            Cue(start: 0.901, end: 1, text: "gamma"),
            Cue(start: 1.75, end: 2.125, text: "alpha"), Cue(start: 2.2, end: 2.3, text: "beta"),
            Cue(start: 2.451, end: 2.9, text: "gamma"), Cue(start: 3.5, end: 4, text: "alpha"),
        ]
        let found = try cues(report.output)
        #expect(found.map(\.text) == wanted.map(\.text))
        for (one, other) in zip(found, wanted) {
            #expect(abs(one.start - other.start) < 0.002 && abs(one.end - other.end) < 0.002)
        }
        let stream = try #require(try MediaTools.probe(report.output).streams("subtitle").first)
        #expect(stream.codec == "mov_text" && stream.language == "eng")
        #expect(!report.warnings.contains { $0.code == "subtitleDropped" })
    }

    @Test("each language is a track, also where only some sources have it")
    func languages() async throws {
        let trial = try ExportTrial()
        let a = try clip("a", language: "eng", trial), b = try clip("b", language: "fre", trial)
        let report = try await export(Composition(joining: [a, b, a]), trial)
        let streams = try MediaTools.probe(report.output).streams("subtitle")
        #expect(streams.map(\.language) == ["eng", "fre"])
        let english = try cues(report.output), french = try cues(report.output, track: 1)
        #expect(english.count == 6 && french.count == 3)
        #expect(abs((french.first?.start ?? 0) - 3.5) < 0.05)
        #expect(abs(english[3].start - 6.5) < 0.05)
    }

    @Test("a file of cues becomes a track of the timeline's time, cut with the range")
    func file() async throws {
        let trial = try ExportTrial()
        let a = try clip("a", language: "eng", trial)
        try Data("WEBVTT\n\n00:01.000 --> 00:02.000\nhallo\n".utf8)
            .write(to: URL(filePath: trial.file("de.vtt")))
        var composition = Composition(joining: [a])
        composition.subtitles = [
            Subtitles(source: trial.file("de.vtt"), start: 0.5, language: "ger", title: "Deutsch")
        ]
        let report = try await export(
            composition, trial, settings: ExportTrial.settings(from: 1, to: 2))
        let streams = try MediaTools.probe(report.output).streams("subtitle")
        #expect(streams.map(\.language) == ["eng", "ger"])
        #expect(
            try cues(report.output, track: 1) == [Cue(start: 0.5, end: 1, text: "hallo")])
    }

    @Test("a file that holds no cues, or other letters than UTF-8, is refused by name")
    func badFiles() async throws {
        let trial = try ExportTrial()
        let a = try clip("a", language: "eng", trial)
        let latin = Data("1\n00:00:01,000 --> 00:00:02,000\n".utf8) + Data([0xE9, 0x0A, 0x0A])
        try latin.write(to: URL(filePath: trial.file("latin.srt")))
        try Data("nothing".utf8).write(to: URL(filePath: trial.file("no.srt")))
        try FileManager.default.copyItem(atPath: a, toPath: trial.file("film.srt"))
        for (name, words) in [
            ("latin.srt", "UTF-8"), ("no.srt", "SubRip"), ("film.srt", "SubRip"),
        ] {
            var composition = Composition(joining: [a])
            composition.subtitles = [Subtitles(source: trial.file(name))]
            let error = await #expect(throws: ExportError.self) {
                _ = try await export(composition, trial)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(name) && text.contains(words), "\(text)")
        }
    }

    /// Whether anything is brighter than the film in the lower part of a picture.
    private func isLit(_ picture: LayerFixture.Shown) -> Bool {
        (96..<picture.height).contains { y in
            (0..<picture.width).contains { picture.luma($0, y) > 150 }
        }
    }

    @Test("drawn subtitles are seen while their cues last: of a file, and of the sources")
    func drawn() async throws {
        let trial = try ExportTrial()
        let a = try clip("a", language: "eng", trial)
        let style = TextStyle(font: TitleTests.font, size: .share(0.15), outline: .black)
        // Ten pictures a second: cues at 0.5 to 1.25, 1.4 to 1.6 and 1.901 to 2.8.
        let wanted = (0..<30).map { picture in
            [5...12, 14...15, 20...27].contains { $0.contains(picture) }
        }
        for source in [trial.file("a.srt"), nil] {
            var composition = Composition(tracks: [.init(.video, [a])])
            composition.subtitles = [Subtitles(source: source, style: style)]
            let (pictures, _, plan) = try await LayerFixture.export(composition, in: trial)
            #expect(pictures.map(isLit) == wanted)
            #expect(plan.decisions.contains { $0.subject == "subtitles 1" })
            try FileManager.default.removeItem(atPath: trial.file("out.mp4"))
        }
        var composition = Composition(joining: [a])
        composition.subtitles = [Subtitles(language: "ita", style: style)]
        let error = await #expect(throws: ExportError.self) {
            _ = try await export(composition, trial)
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("no text subtitles in ita"))
    }
}
