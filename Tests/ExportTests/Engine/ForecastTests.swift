import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("ExportForecast", .tags(.media))
struct ForecastTests {
    private static func small(_ name: String = "small.mp4", seconds: Double = 1) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "320x180", seconds: seconds) + Clip.tone(seconds: seconds)
                + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"])
    }

    /// What a dry run and a run say to the same; the folder has to be as it was.
    private static func errors(
        _ trial: ExportTrial, _ source: String, to output: String, preset: String = "medium",
        _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> (dry: ExportError?, run: ExportError?) {
        var settings = ExportSettings()
        change(&settings)
        let before = try trial.names()
        func session() throws -> ExportSession {
            ExportSession(
                asset: Asset(path: source), preset: try .named(preset), settings: settings)
        }
        var (dry, run): (ExportError?, ExportError?)
        do throws(ExportError) {
            _ = try await (try? session())?.forecast(to: output)
        } catch {
            dry = error
        }
        #expect(try trial.names() == before, "a dry run left something behind")
        do throws(ExportError) {
            _ = try await (try? session())?.export(to: output)
        } catch {
            run = error
        }
        return (dry, run)
    }

    @Test("a dry run refuses a place as the run does")
    func places() async throws {
        let trial = try ExportTrial()
        let source = trial.file("source.mp4")
        try FileManager.default.copyItem(atPath: try Self.small().path, toPath: source)
        try FileManager.default.createDirectory(
            atPath: trial.file("folder.mp4"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: trial.file("link.mp4"), withDestinationPath: trial.file("nowhere.mp4"))
        try Data("taken".utf8).write(to: URL(filePath: trial.file("taken.mp4")))
        let places = [
            "taken.mp4": "outputExists", "link.mp4": "outputExists",
            "folder.mp4": "outputNotCreated", "source.mp4": "outputNotCreated",
            "none/out.mp4": "outputNotCreated", "taken.mp4/out.mp4": "outputNotCreated",
        ]
        for (name, code) in places {
            let (dry, run) = try await Self.errors(trial, source, to: trial.file(name))
            #expect(dry != nil && dry == run, "\(name)")
            #expect(dry.map { Failure($0).code } == code, "\(name)")
        }
        let closed = try await Self.errors(trial, source, to: "/proc/out.mp4")
        #expect(closed.dry != nil && closed.dry == closed.run)
        for poster in ["out.mp4", "none/p.png", "p.gif", "taken.mp4"] {
            let (dry, run) = try await Self.errors(trial, source, to: trial.file("out.mp4")) {
                $0.posterPath = trial.file(poster)
            }
            #expect(dry != nil && dry == run, "\(poster)")
        }
    }

    @Test("a dry run refuses a source and a preset as the run does")
    func sources() async throws {
        let trial = try ExportTrial()
        let whole = try Self.small()
        let cut = trial.file("cut.mp4")
        let bytes = try whole.bytes()
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: cut))
        let theora = try Clip.make(
            "theora.mkv",
            Clip.picture(size: "64x64", seconds: 0.4) + ["-c:v", "ffv1"])
        let still = try Clip.make(
            "silent.mp4", Clip.picture(size: "64x64", seconds: 0.4) + ["-c:v", "libx264"])
        for (source, preset) in [
            (cut, "medium"), (theora.path, "passthrough"), (still.path, "m4a"),
            (trial.file("none.mp4"), "medium"),
        ] {
            let (dry, run) = try await Self.errors(
                trial, source, to: trial.file("out.mp4"), preset: preset)
            #expect(dry != nil && dry == run, "\(source)")
        }
    }

    @Test("a dry run names the file that the run writes")
    func names() async throws {
        let trial = try ExportTrial()
        let source = try Self.small()
        var settings = ExportSettings()
        settings.overwrite = .unique
        for expected in ["a.mp4", "a-1.mp4", "a-2.mp4"] {
            let session = {
                ExportSession(
                    asset: Asset(path: source.path), preset: try ExportTrial.preset("passthrough"),
                    settings: settings)
            }
            let forecast = try await session().forecast(to: trial.file("a.mp4"))
            let report = try await session().export(to: trial.file("a.mp4"))
            #expect(forecast.output == trial.file(expected) && report.output == forecast.output)
        }
    }

    /// Clips of many kinds: name, arguments, presets.
    static let varied: [(String, [String])] = [
        ("fine.mp4", Clip.picture(seconds: 2) + ["-c:v", "libx264", "-qp", "12"]),
        ("coarse.mp4", Clip.picture(seconds: 2) + ["-c:v", "libx264", "-crf", "33"]),
        ("odd.mov", Clip.picture(size: "322x242", rate: "24", seconds: 2) + ["-c:v", "mjpeg"]),
        ("raw.mkv", Clip.picture(size: "320x180", seconds: 2) + ["-c:v", "ffv1"]),
        (
            "noisy.mp4",
            Clip.picture(size: "320x180", seconds: 2)
                + ["-vf", "noise=alls=5:allf=t", "-c:v", "libx264", "-crf", "20"]
        ),
        ("new.mp4", Clip.picture(seconds: 2) + ["-c:v", "libx265", "-x265-params", "log-level=0"]),
        (
            "old.mpg",
            Clip.picture(size: "352x288", rate: "25", seconds: 2) + [
                "-c:v", "mpeg2video", "-b:v", "1M",
            ]
        ),
        (
            "heard.mp4",
            Clip.picture(size: "320x180", seconds: 4) + Clip.tone(seconds: 4)
                + ["-c:v", "libx264", "-c:a", "aac"]
        ),
    ]

    @Test(
        "encoded clips have the size that was expected within a factor of three", arguments: varied)
    func estimate(_ name: String, _ arguments: [String]) async throws {
        let clip = try Clip.make(name, arguments + ["-pix_fmt", "yuv420p"])
        for preset in ["medium", "low", "1280x720"] {
            let made = try await TraitExport(clip, try .named(preset))
            let expected = try #require(made.plan.expectedSize)
            let factor = Double(expected.bytes) / Double(made.report.bytes)
            #expect(!expected.isMeasured && (1.0 / 3...3).contains(factor), "\(preset): \(factor)")
        }
    }

    @Test("copied clips have the size that was expected within two percent")
    func measured() async throws {
        for (name, arguments) in Self.varied where name.hasSuffix("mp4") {
            let clip = try Clip.make(name, arguments + ["-pix_fmt", "yuv420p"])
            let made = try await TraitExport(clip, try .named("passthrough"), copy: .auto)
            let expected = try #require(made.plan.expectedSize)
            let factor = Double(expected.bytes) / Double(made.report.bytes)
            #expect(expected.isMeasured && (0.98...1.02).contains(factor), "\(name): \(factor)")
        }
    }
}
