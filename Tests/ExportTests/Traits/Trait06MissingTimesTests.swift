import TakeupExport
import TestSupport
import Testing

@Suite("Trait 6: missing times", .tags(.media))
struct Trait06MissingTimesTests {
    @Test(
        "as many frames come out as go in, in order",
        arguments: ["raw.h264", "raw.hevc", "raw.m2v", "packets.avi", "raw.m4v"])
    func keepsFrames(_ name: String) async throws {
        let clip = try Self.clip(name)
        let source = try Picture.luma(clip.path)
        try #require(source.count == 50)
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 10))
        try made.expectSound()
        let output = try Picture.luma(made.path)
        #expect(output.count == 50 && made.report.frames == 50)
        for (place, picture) in output.enumerated().dropFirst() {
            let own = picture.distance(to: source[place])
            #expect(own < picture.distance(to: source[place - 1]), "frame \(place)")
        }
        let ticks = try Times.ticks(made.path)
        #expect(Set(zip(ticks, ticks.dropFirst()).map { $1 - $0 }).count == 1)
        #expect(try made.video().averageFrameRate == "25/1")
    }

    @Test(
        "raw pictures keep the rate that their headers tell",
        arguments: ["raw.h264", "raw.hevc", "raw.m2v", "raw.m4v"])
    func keepsRates(_ name: String) async throws {
        let clip = try Self.clip(name, rate: "30000/1001")
        let made = try await TraitExport(clip, try .hasty("640x480", crf: 10))
        #expect(try made.video().averageFrameRate == "30000/1001")
    }

    @Test(
        "cuts and joins keep the last pictures, which are shown later than decoded",
        arguments: [
            ("late.avi", "libx264"), ("late.avi", "mpeg4"), ("late.asf", "mpeg4"),
        ])
    func keepsLastPictures(_ name: String, _ codec: String) async throws {
        let clip = try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: 2)
                + ["-c:v", codec, "-bf", "2", "-q:v", "3"])
        let trial = try ExportTrial()
        let (cut, _) = try await trial.export(
            [clip.path], settings: ExportTrial.settings(from: 1))
        let numbers = try NumberedPictures.numbers(in: cut)
        #expect(numbers == Array((50 - numbers.count)..<50) && numbers.count >= 25)
        let (joined, _) = try await trial.export([clip.path, clip.path], to: "joined.mp4")
        #expect(try NumberedPictures.numbers(in: joined) == Array(0..<50) + Array(0..<50))
    }

    @Test("the last pictures of an AVI whose rate counts empty ones are as far apart as the others")
    func keepsLastSteps() async throws {
        let film = try Clip.make(
            "film.mkv",
            Clip.picture(size: "160x120", rate: "25", seconds: 2) + [
                "-c:v", "libx264", "-bf", "3", "-pix_fmt", "yuv420p",
            ])
        let bytes = ["-c", "copy", "-bsf:v", "h264_mp4toannexb"]
        let clip = try Clip.make("double.avi", ["-i", film.path, "-r", "50"] + bytes)
        let made = try await TraitExport(clip, try .hasty("640x480"))
        let ticks = try Times.ticks(made.path)
        #expect(ticks.count == 50)
        #expect(Set(zip(ticks, ticks.dropFirst()).map { $1 - $0 }).count == 1)
    }

    @Test("a programme stream some of whose pictures have no time is not copied")
    func vaguePictures() async throws {
        let clip = try Clip.make(
            "vague.mpg",
            Clip.picture(size: "160x96", rate: "25", seconds: 4) + Clip.tone(seconds: 4)
                + ["-c:v", "mpeg1video", "-g", "12", "-b:v", "150k", "-c:a", "mp2", "-f", "mpeg"])
        let vague = try MediaTools.packets(clip.path, stream: "v:0").filter { $0.pts == nil }
        try #require(!vague.isEmpty && vague.allSatisfy { !$0.isKey })
        let error = try await ExportTrial().refusal([clip.path], preset: .named("passthrough"))
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("no presentation times"))
        let (_, report) = try await ExportTrial().export([clip.path])
        #expect(report.frames == 100)
    }

    private static func clip(_ name: String, rate: String = "25") throws -> Clip {
        let picture = Clip.picture(size: "160x120", rate: rate, seconds: 2)
        let codecs = [
            "raw.h264": ["-c:v", "libx264", "-bf", "3"],
            "packets.avi": ["-c:v", "libx264", "-bf", "3"],
            "raw.hevc": ["-c:v", "libx265", "-x265-params", "log-level=error"],
            "raw.m2v": ["-c:v", "mpeg2video", "-bf", "2", "-q:v", "3"],
            "raw.m4v": ["-c:v", "mpeg4", "-bf", "2", "-q:v", "3"],
        ]
        let codec = try #require(codecs[name])
        return try Clip.make(name, picture + codec + ["-pix_fmt", "yuv420p"])
    }
}
