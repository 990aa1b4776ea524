import Foundation
import TakeupFiles
import TakeupLanes
import TakeupTimeline
import TakeupOutput
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Poster", .tags(.media))
struct PosterTests {
    private func clip() throws -> TestSupport.Clip {
        try TestSupport.Clip.make(
            "plain.mp4",
            NumberedPictures.source(seconds: 1) + TestSupport.Clip.tone(seconds: 1)
                + ["-c:v", "libx264", "-c:a", "aac"])
    }

    private func settings(_ poster: String) -> ExportSettings {
        var settings = ExportSettings()
        settings.posterPath = poster
        return settings
    }

    @Test("the output's own path is refused, however it is spelt")
    func refusesOutput() async throws {
        let trial = try ExportTrial()
        let source = try clip().path
        for poster in [trial.file("out.mp4"), trial.directory.path + "/./out.mp4"] {
            for overwrite in ExportSettings.Overwrite.allCases {
                var settings = settings(poster)
                settings.overwrite = overwrite
                let error = try await trial.refusal([source], settings: settings)
                guard case .outputNotCreated(poster, _) = error else {
                    Issue.record("\(poster), \(overwrite): \(String(describing: error))")
                    continue
                }
            }
        }
    }

    @Test("a source is not replaced, by whatever name", arguments: ["same", "symbolic", "hard"])
    func refusesSource(kind: String) async throws {
        let trial = try ExportTrial()
        let bytes = try clip().bytes()
        let source = try trial.directory.write(bytes, to: "source.mp4")
        let poster = kind == "same" ? source : trial.file("poster.jpg")
        if kind == "symbolic" {
            try FileManager.default.createSymbolicLink(
                atPath: poster, withDestinationPath: source)
        } else if kind == "hard" {
            try FileManager.default.linkItem(atPath: source, toPath: poster)
        }
        var settings = settings(poster)
        settings.overwrite = .replace
        let error = try await trial.refusal([source], settings: settings)
        guard case .outputNotCreated(poster, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: source)) == bytes)
    }

    @Test("a taken name and a folder that is missing are told before any work")
    func refusesEarly() async throws {
        let trial = try ExportTrial()
        try trial.directory.write(Data("old".utf8), to: "poster.jpg")
        // The source does not exist: whoever opens it first tells that instead.
        let source = trial.file("missing.mp4")
        let taken = trial.file("poster.jpg")
        #expect(
            try await trial.refusal([source], settings: settings(taken)) == .outputExists(taken))
        for poster in [trial.file("missing/poster.jpg"), trial.directory.path] {
            let error = try await trial.refusal([source], settings: settings(poster))
            guard case .outputNotCreated(poster, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    /// Renders, and gives the files their names; nobody looked before whether they may have them.
    private func perform(
        _ run: ExportRun, to path: String
    ) throws(ExportError) -> ExportReport {
        let files = try OutputFiles(for: path, run.plan, run.settings)
        let poster = files.poster.flatMap { poster in
            PosterFormat(path: poster.destination).map { (poster.opened, $0) }
        }
        var report = try run.perform(
            into: RenderedFiles(output: files.output.opened, poster: poster))
        try files.publish(run.settings.overwrite, &report)
        return report
    }

    @Test("without a video there is no poster either, and its loss alone fails nothing")
    func followsVideo() async throws {
        let trial = try ExportTrial()
        let poster = trial.file("poster.jpg")
        try trial.directory.write(Data("old".utf8), to: "out.mp4")
        let taken = try await run(settings(poster))
        #expect(throws: ExportError.outputExists(trial.file("out.mp4"))) {
            try perform(taken, to: trial.file("out.mp4"))
        }
        #expect(try trial.names() == ["out.mp4"])

        try trial.directory.write(Data("old".utf8), to: "poster.jpg")
        let report = try perform(
            await run(settings(poster)), to: trial.file("new.mp4"))
        #expect(report.poster == nil)
        #expect(report.warnings.map(\.code).contains("posterNotWritten"))
        #expect(try trial.names() == ["new.mp4", "out.mp4", "poster.jpg"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: poster)) == Data("old".utf8))
    }

    @Test("sound alone has none, and says so")
    func soundAlone() async throws {
        let trial = try ExportTrial()
        let (_, report) = try await trial.export(
            [try clip().path], preset: .named("m4a"), settings: settings(trial.file("p.jpg")),
            to: "out.m4a")
        #expect(report.poster == nil)
        #expect(report.warnings.map(\.code).contains("posterNotMade"))
        #expect(try trial.names() == ["out.m4a"])
    }

    @Test("a copied video's poster is upright and its pixels are square")
    func turnsCopies() async throws {
        let stored = try TestSupport.Clip.make(
            "stored.mp4",
            [
                "-f", "lavfi", "-i",
                "color=black:size=80x48:duration=1,format=yuv420p,drawbox=0:0:40:48:white:fill,"
                    + "setsar=2/1", "-c:v", "libx264", "-qp", "5",
            ])
        let turned = try TestSupport.Clip.turned("turned.mp4", of: stored)
        let trial = try ExportTrial()
        let (path, report) = try await trial.export(
            [turned.path], preset: .named("passthrough"), settings: settings(trial.file("p.jpg")))
        try #require(try MediaTools.probe(path).streams("video").first?.rotation != 0)
        let poster = try #require(report.poster)
        let picture = try #require(try Picture.luma(poster).first)
        #expect(picture.width == 48 && picture.height == 160)
        // FFmpeg 5.1 turns against the clock by that tag: the left half becomes the lower half.
        #expect(picture.mean(x: 4..<44, y: 8..<70) < 50)
        #expect(picture.mean(x: 4..<44, y: 90..<152) > 200)
    }

    @Test("an HDR video's poster is tone-mapped")
    func mapsTones() async throws {
        let clip = try TestSupport.Clip.make(
            "grey.mp4",
            [
                "-f", "lavfi", "-i", "color=0x808080:size=96x64:duration=1,format=yuv420p10le",
                "-c:v", "libx265", "-x265-params",
                "log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:crf=5",
                "-tag:v", "hvc1",
            ])
        let trial = try ExportTrial()
        let (_, report) = try await trial.export(
            [clip.path], preset: .named("passthrough"), settings: settings(trial.file("p.jpg")))
        let poster = try #require(report.poster)
        let picture = try #require(try Picture.luma(poster).first)
        // Half of PQ is 92 cd/m², under diffuse white of 203: gamma makes it some 180 of 255.
        let level = picture.mean(x: 8..<88, y: 8..<56)
        #expect((165..<200).contains(level), "\(level)")
    }

    /// A run of the plain clip, past the look at its destinations.
    private func run(_ settings: ExportSettings) async throws -> ExportRun {
        let asset = Asset(path: try clip().path)
        let inspected = try await asset.inspected().parts[0].asset
        var planner = ExportPlanner(
            assets: [inspected], clips: [TakeupExport.Clip(videoSource: 0, audioSource: 0)],
            preset: try ExportTrial.preset(), settings: settings)
        return ExportRun(
            RunInputs(sources: [try asset.open()], assets: [inspected]), plan: try planner.plan(),
            settings: settings, cancellation: Cancellation(),
            progress: ProgressMeter(interval: .seconds(1)) { _ in }
        ) { _ throws(ExportError) in throw .cancelled }
    }
}
