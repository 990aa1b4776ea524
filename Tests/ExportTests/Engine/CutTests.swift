import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Cuts of streams without an index", .tags(.media))
struct CutTests {
    /// 300 numbered pictures at 25 a second, with sound.
    private static func clip(_ name: String) throws -> Clip {
        let long = ["-c:v", "libx264", "-g", "250", "-keyint_min", "250", "-sc_threshold", "0"]
        let short = ["-c:v", "libx264", "-g", "50", "-bf", "3"]
        let mpeg2 = ["-c:v", "mpeg2video", "-q:v", "3", "-g", "15", "-bf", "2", "-c:a", "mp2"]
        let hevc = ["-c:v", "libx265", "-x265-params"]
        let recipes = [
            "long.ts": long, "long.m2ts": long, "long.flv": long,
            "refresh.ts": short
                + ["-x264-params", "intra-refresh=1"],
            "refresh-often.ts": short + ["-g", "12", "-x264-params", "intra-refresh=1"],
            "open.ts": short + ["-x264-params", "open-gop=1"],
            "closed-hevc.ts": hevc + ["keyint=100:open-gop=0:log-level=error"],
            "open-hevc.ts": hevc + ["keyint=100:open-gop=1:log-level=error"],
            "open.mpeg2.ts": mpeg2, "open.mpg": mpeg2,
            "cueless.mkv": short + ["-live", "1", "-c:a", "aac"],
            "fragments.mp4": short + ["-movflags", "frag_keyframe+empty_moov+default_base_moof"],
            "theora.ogv": ["-c:v", "libtheora", "-g", "60", "-q:v", "7", "-c:a", "libvorbis"],
            "long.mpeg4.mp4": ["-c:v", "mpeg4", "-q:v", "3", "-g", "250"],
            "short.mp4": short,
            "long.vp9.mp4": ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-g", "250"],
            "raw.h264": short + ["-an"], "raw.m2v": mpeg2 + ["-an"],
            "raw.hevc": hevc + ["keyint=100:log-level=error", "-an"],
        ]
        return try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: 12) + Clip.tone(seconds: 12)
                + (recipes[name] ?? []))
    }

    /// When the pictures begin, after whatever begins first, in seconds.
    private static func pictureDelay(_ clip: Clip) throws -> Double {
        let streams = try MediaTools.probe(clip.path).streams.filter { $0.start != nil }
        let first = streams.compactMap(\.start).min() ?? 0
        return (streams.first { $0.type == "video" }?.start ?? first) - first
    }

    /// The numbers of the pictures that are on the screen between two times.
    private static func numbers(_ clip: Clip, from start: Double, to end: Double) throws -> [Int] {
        let delay = try pictureDelay(clip)
        let first = max(0, Int(((start - delay) * 25 + 0.001).rounded(.down)))
        let last = Int(((end - delay) * 25 - 0.001).rounded(.up))
        return (first..<last).map { $0 % 256 }
    }

    static let made = [
        "long.ts", "long.m2ts", "long.flv", "refresh.ts", "open.ts", "closed-hevc.ts",
        "open-hevc.ts", "open.mpeg2.ts", "open.mpg", "cueless.mkv", "fragments.mp4", "theora.ogv",
        "raw.h264", "raw.m2v", "raw.hevc",
    ]

    @Test("that are encoded show every picture of the range and no other", arguments: made)
    func encodesExactly(_ name: String) async throws {
        let clip = try Self.clip(name)
        let trial = try ExportTrial()
        for start in [0.3, 4.9, 9.7] {
            let (path, report) = try await trial.export(
                [clip.path], settings: ExportTrial.settings(from: start, to: start + 1),
                to: "\(start).mp4")
            let wanted = try Self.numbers(clip, from: start, to: start + 1)
            #expect(try NumberedPictures.numbers(in: path) == wanted, "from \(start)")
            #expect(report.frames == wanted.count)
        }
    }

    static let copied = [
        "long.ts", "long.m2ts", "long.flv", "refresh.ts", "open.ts", "closed-hevc.ts",
        "open-hevc.ts", "open.mpeg2.ts", "cueless.mkv", "long.mpeg4.mp4", "long.vp9.mp4",
        "short.mp4", "refresh-often.ts",
    ]

    @Test("that are copied show every picture of the range and no other", arguments: copied)
    func copiesExactly(_ name: String) async throws {
        let clip = try Self.clip(name)
        let trial = try ExportTrial()
        // The second begins so soon before a keyframe that 48 hidden pictures come before it.
        for start in [2.05, 9.71] + (name.hasPrefix("short") ? [1.92] : []) {
            let session = ExportSession(
                asset: Asset(path: clip.path), preset: try .named("passthrough"),
                settings: ExportTrial.settings(from: start, to: start + 1))
            let report = try await session.export(to: trial.file("\(start).mp4"))
            let wanted = try Self.numbers(clip, from: start, to: start + 1)
            let shown = try NumberedPictures.shown(in: report.output)
            #expect(shown.map(\.number) == wanted, "from \(start)")
            #expect(report.frames == wanted.count)
            #expect(try MediaTools.decodeErrors(report.output) == [])
            let delay = try Self.pictureDelay(clip)
            let moved = delay + (((start - delay) * 25 + 0.001).rounded(.down)) / 25
            let length = start + 1 - moved
            let video = try #require(try MediaTools.probe(report.output).streams("video").first)
            #expect(abs((video.duration ?? 0) - length) < 0.003)
            for (place, picture) in shown.enumerated() {
                #expect(abs(picture.time - Double(place) / 25) < 0.002)
            }
            // It passes over the edit list of one of these, which others read.
            guard !name.hasSuffix("flv") else { continue }
            let seen = try MediaTools.mediaInfo(report.output).first { $0.type == "Video" }
            #expect(abs((seen?["Duration"].flatMap(Double.init) ?? 0) - length) < 0.003)
        }
    }

    @Test("of AVI with empty chunks between its pictures", arguments: ["low", "passthrough"])
    func emptyChunks(_ preset: String) async throws {
        let base = try Clip.make(
            "base.mp4",
            NumberedPictures.source(rate: "25", seconds: 8) + Clip.tone(seconds: 8)
                + ["-c:v", "libx264", "-g", "50", "-bf", "0"])
        // Its ticks are half a picture long.
        let clip = try Clip.make(
            "chunks.avi", ["-i", base.path, "-c:v", "copy", "-c:a", "libmp3lame"])
        let trial = try ExportTrial()
        let source = try NumberedPictures.shown(in: clip.path)
        for start in [2.03, 4, 5.01] {
            let (path, _) = try await trial.export(
                [clip.path], preset: try .named(preset),
                settings: ExportTrial.settings(from: start, to: 7.13), to: "\(start).mp4")
            let before = source.last { $0.time <= start }
            let inside = source.filter { $0.time > start && $0.time < 7.13 }
            let wanted = ([try #require(before)] + inside).map(\.number)
            #expect(try NumberedPictures.numbers(in: path) == wanted, "from \(start)")
        }
    }

    @Test("that have no end reach to the last picture", arguments: ["low", "passthrough"])
    func reachesEnd(_ preset: String) async throws {
        // AVI does not tell that pictures come later than their container ends.
        let options = ["-c:v", "libx264", "-g", "50", "-bf", preset == "low" ? "3" : "0"]
        let clip = try Clip.make(
            "end.avi",
            NumberedPictures.source(rate: "25", seconds: 8) + Clip.tone(seconds: 8)
                + options + ["-c:a", "libmp3lame"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [clip.path], preset: try .named(preset),
            settings: ExportTrial.settings(from: 6, to: nil))
        #expect(try NumberedPictures.numbers(in: path).last == 199)
    }

    @Test("that are copied between two pictures begin with the one that is shown, and say so")
    func snapsToPicture() async throws {
        let clip = try Clip.make(
            "slow.mp4",
            NumberedPictures.source(rate: "1", seconds: 12) + Clip.tone(seconds: 12)
                + ["-c:v", "libx264", "-g", "4", "-bf", "2"])
        let trial = try ExportTrial()
        let session = ExportSession(
            asset: Asset(path: clip.path), preset: try .named("passthrough"),
            settings: ExportTrial.settings(from: 5.9, to: 7))
        let plan = try await session.plan()
        #expect(plan.decisions.contains { $0.subject == "cut" })
        #expect(plan.warnings.contains { $0.code == "cutMoved" })
        let report = try await session.export(to: trial.file("out.mp4"))
        #expect(report.warnings.contains { $0.code == "cutMoved" })
        let shown = try NumberedPictures.shown(in: report.output)
        #expect(shown.map(\.number) == [5, 6])
        #expect(shown.map(\.time) == [0, 1])
        let sound = try #require(try MediaTools.probe(report.output).streams("audio").first)
        #expect(abs((sound.duration ?? 0) - plan.duration.seconds) < 0.03)
    }

    @Test("that begin with a picture are not moved", arguments: ["medium", "passthrough"])
    func keepsExactCut(_ preset: String) async throws {
        let clip = try Clip.make(
            "even.mp4",
            NumberedPictures.source(rate: "30", seconds: 3) + ["-c:v", "libx264", "-bf", "0"])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export(
            [clip.path], preset: try ExportTrial.preset(preset),
            settings: ExportTrial.settings(from: 1.333, to: 2.333))
        #expect(report.warnings.allSatisfy { $0.code != "cutMoved" } || preset == "passthrough")
        let numbers = try NumberedPictures.numbers(in: path)
        #expect(preset == "medium" || numbers == Array(40..<70))
    }

    @Test("keep sound where the pictures are", arguments: ["medium", "passthrough"])
    func keepsSound(_ preset: String) async throws {
        let beep = "volume='between(t,9.8,9.9)':eval=frame"
        for name in ["beep.ts", "beep.flv", "beep.m2ts"] {
            let clip = try Clip.make(
                name,
                NumberedPictures.source(rate: "25", seconds: 12)
                    + Clip.tone(frequency: 1000, seconds: 12)
                    + [
                        "-af", "asetnsamples=48,\(beep)", "-c:v", "libx264", "-g", "250", "-c:a",
                        "aac",
                    ])
            let trial = try ExportTrial()
            let (path, _) = try await trial.export(
                [clip.path], preset: try ExportTrial.preset(preset),
                settings: ExportTrial.settings(from: 9.5, to: 10.5))
            let shown = try NumberedPictures.shown(in: path)
            let picture = try #require(shown.first { $0.number == 245 })
            let samples = try Samples(path)
            #expect(abs(try #require(samples.onset()) - picture.time) <= 0.004, "\(name)")
        }
    }
}
