import Foundation
import TakeupExport
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 29: gaps in the sound", .tags(.media))
struct Trait29SoundGapTests {
    /// Six seconds of pictures; the tone is absent, not silent, from second 1 to second 4.
    private func clip(_ container: String, codec: String) throws -> Clip {
        let hole = "asetnsamples=480,aselect='lt(t,1)+gte(t,4)'"
        return try Clip.make(
            "gap.\(container)",
            NumberedPictures.source(rate: "10", seconds: 6) + Clip.tone(seconds: 6)
                + ["-af", hole, "-c:v", "libx264", "-c:a", codec])
    }

    @Test("silence fills the gap and the tone comes back in time")
    func fillsGap() async throws {
        let trial = try ExportTrial()
        let clip = try clip("mkv", codec: "pcm_s16le")
        let (path, report) = try await trial.export([clip.path])
        let samples = try Samples(path)
        #expect(abs(samples.values.count - 6 * 48_000) <= 1024)
        let packets = try MediaTools.packets(path, stream: "a:0").filter { !$0.isDiscarded }
        let last = try #require(packets.last)
        #expect(abs((last.pts ?? 0) + (last.duration ?? 0) - 6) <= 1024.0 / 48_000)
        #expect(samples.level(from: 0.1, to: 0.9) > 0.05)
        #expect(samples.level(from: 1.1, to: 3.9) < 0.001)
        let onset = try #require(samples.onset(after: 2))
        #expect(abs(onset - 4) <= 0.005)
        #expect(samples.level(from: 4.1, to: 5.9) > 0.05)
        #expect(report.warnings.contains { $0.code == "silenceInserted" })
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<60))
    }

    @Test("sound that ends early leaves the pictures whole")
    func keepsPicturesAfterSound() async throws {
        let clip = try Clip.make(
            "short.mp4",
            NumberedPictures.source(seconds: 2) + Clip.tone(seconds: 1)
                + ["-c:v", "libx264", "-c:a", "aac"])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([clip.path])
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<60))
        #expect(try Samples(path).level(from: 0.1, to: 0.9) > 0.05)
    }

    @Test("one damaged block is no loss, and is told")
    func oneBlock() async throws {
        let clip = try Clip.make("one.m4a", Clip.tone(seconds: 4) + ["-c:a", "aac"])
        var bytes = [UInt8](try clip.bytes())
        let media = try #require(bytes.firstRange(of: Array("mdat".utf8)))
        let middle = media.upperBound + (bytes.count - media.upperBound) / 2
        for place in middle..<middle + 60 { bytes[place] = 255 }
        let damaged = try clip.edited("damaged.m4a", recipe: "60 bytes of 255 in the middle") {
            $0 = Data(bytes)
        }
        let trial = try ExportTrial()
        let (_, report) = try await trial.export([damaged.path])
        #expect(report.warnings.contains { $0.code == "soundDamaged" })
        let (_, whole) = try await trial.export([clip.path], to: "whole.mp4")
        #expect(!whole.warnings.contains { $0.code == "soundDamaged" })
    }

    @Test(
        "a cut in sound whose header states its byte rate only roughly begins where it was asked for",
        arguments: ["adpcm_ms", "adpcm_ima_wav", "adpcm_yamaha", "g722", "libmp3lame"])
    func byteRate(codec: String) async throws {
        // The tone begins at second 2.
        let clip = try Clip.make(
            "late-\(codec).wav",
            Clip.tone(seconds: 5) + ["-af", "volume=enable='lt(t,2)':volume=0", "-c:a", codec])
        let trial = try ExportTrial()
        let start = MediaTime(value: 3, timescale: 2)
        var settings = ExportSettings()
        settings.timeRange = TimeRange(start: start, duration: MediaTime(seconds: Int64(2)))
        let (path, _) = try await trial.export([clip.path], settings: settings)
        let onset = try #require(try Samples(path).onset(after: 0.1))
        // Blocks of coded sound spread an onset.
        #expect(abs(onset - 0.5) <= 0.03)
    }

    @Test("a picture that the source shows beyond a cut lasts up to the cut's end")
    func heldPicture() async throws {
        let clip = try Clip.make(
            "held.mp4",
            NumberedPictures.source(rate: "10", seconds: 6)
                + ["-vf", "select='lt(t,2)+gte(t,5)'", "-fps_mode", "vfr", "-c:v", "libx264"])
        let trial = try ExportTrial()
        for (start, end) in [(Int64(1), Int64(4)), (3, 4), (1, 6)] {
            var settings = ExportSettings()
            settings.timeRange = TimeRange(
                start: MediaTime(seconds: start), duration: MediaTime(seconds: end - start))
            let (path, _) = try await trial.export(
                [clip.path], settings: settings, to: "\(start)-\(end).mp4")
            let length = try #require(MediaTools.probe(path).format.duration)
            #expect(abs(length - Double(end - start)) <= 0.1)
        }
    }
}
