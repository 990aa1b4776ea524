import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 6: wrong times of sound", .tags(.media))
struct Trait06WrongSoundTimesTests {
    /// Three seconds of numbered pictures, and a tone from second 2 on.
    private static func clip(_ name: String, _ codec: [String]) throws -> Clip {
        try Clip.make(
            name,
            NumberedPictures.source(rate: "25", seconds: 3) + Clip.tone(seconds: 3)
                + [
                    "-af", "volume=0:enable='lt(t,2)'", "-c:v", "mpeg4", "-q:v", "3", "-strict",
                    "-2",
                ]
                + codec)
    }

    /// A copy whose sound has other times: `expression` is of the bitstream filter `setts`.
    private static func retimed(_ name: String, _ expression: String) throws -> Clip {
        let clip = try clip("times.mkv", ["-c:a", "ac3"])
        return try Clip.make(
            name, ["-i", clip.path, "-map", "0", "-c", "copy", "-bsf:a", "setts=ts=\(expression)"])
    }

    /// A copy whose header says that packets of sound last `factor` times as long.
    private static func paced(_ name: String, by factor: UInt32) throws -> Clip {
        let clip = try clip("ac3.avi", ["-c:a", "ac3"])
        return try clip.edited(name, recipe: "packets of sound last \(factor) times as long") {
            guard let header = $0.range(of: Data("auds".utf8)) else { return }
            let scale = $0.subdata(in: header.lowerBound + 20..<header.lowerBound + 24)
            let old = scale.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let new = withUnsafeBytes(of: (old * factor).littleEndian) { Data($0) }
            $0.replaceSubrange(header.lowerBound + 20..<header.lowerBound + 24, with: new)
        }
    }

    private static func made(_ name: String) throws -> Clip {
        switch name {
        case "eac3.avi": try clip(name, ["-c:a", "eac3"])
        case "dts.avi": try clip(name, ["-c:a", "dca"])
        case "vorbis.avi": try clip(name, ["-c:a", "libvorbis"])
        case "flac.wmv": try clip(name, ["-c:v", "wmv2", "-c:a", "flac"])
        case "g726.avi": try clip(name, ["-ar", "8000", "-c:a", "g726", "-b:a", "32k"])
        case "fast.avi": try paced(name, by: 2)
        default: try retimed(name, "0")
        }
    }

    @Test(
        "the sound is whole and in step, and a warning says so",
        arguments: [
            "eac3.avi", "dts.avi", "vorbis.avi", "g726.avi", "fast.avi", "still.mkv", "flac.wmv",
        ])
    func keepsSound(_ name: String) async throws {
        let clip = try Self.made(name)
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.warnings.map(\.code).contains("soundTimesWrong"))
        #expect(!report.warnings.map(\.code).contains("soundOverlap"))
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<75))
        let samples = try Samples(path)
        #expect(abs(samples.seconds - 3) < 0.06)
        let (old, new) = (try Samples(clip.path).onset(), samples.onset())
        #expect(abs(try #require(new) - (try #require(old))) < 0.001)
    }

    @Test("Vorbis in AVI keeps bursts and silence, whose blocks differ in length")
    func keepsUnevenBlocks() async throws {
        let clip = try Clip.make(
            "bursts.avi",
            NumberedPictures.source(rate: "25", seconds: 3) + Clip.tone(seconds: 3)
                + [
                    "-af", "volume='lt(mod(t,0.5),0.08)':eval=frame", "-c:v", "mpeg4", "-q:v", "3",
                    "-c:a", "libvorbis",
                ])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.warnings.map(\.code).contains("soundTimesWrong"))
        let (old, new) = (try Samples(clip.path), try Samples(path))
        #expect(abs(new.seconds - old.seconds) < 0.03)
        for half in stride(from: 0.0, to: 3, by: 0.5) {
            #expect(new.level(from: half + 0.02, to: half + 0.06) > 0.05)
            #expect(new.level(from: half + 0.15, to: half + 0.45) < 0.001)
        }
    }

    @Test(
        "a cut is found by counting samples",
        arguments: [("eac3.avi", 38), ("fast.avi", 38), ("still.mkv", 37), ("flac.wmv", 38)])
    func cuts(_ name: String, first: Int) async throws {
        let clip = try Self.made(name)
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [clip.path], settings: ExportTrial.settings(from: 1.52, to: 2.6))
        let samples = try Samples(path)
        #expect(abs(samples.seconds - 1.08) < 0.03)
        let (old, new) = (try Samples(clip.path).onset(), samples.onset())
        #expect(abs(try #require(new) - (try #require(old) - 1.52)) < 0.001)
        #expect(try NumberedPictures.numbers(in: path) == Array(first..<65))
    }

    @Test("a copy is refused, since it would keep the times")
    func refusesCopy() async throws {
        let clip = try Self.clip("eac3.avi", ["-c:a", "eac3"])
        let error = try await ExportTrial().refusal([clip.path], preset: .named("passthrough"))
        #expect(
            error
                == .unsupported(
                    clip.path,
                    reason: "the times of the sound are wrong, and a copy would keep them"))
    }

    @Test("times that go wrong later cost sound, which is a loss")
    func tellsLateOverlap() async throws {
        let clip = try Self.retimed("late.mkv", "if(lt(N\\,20)\\,TS\\,640+(N-20)*16)")
        let trial = try ExportTrial()
        guard case .sourceIncomplete(_, let loss) = try await trial.refusal([clip.path]) else {
            Issue.record("sound was lost in silence")
            return
        }
        #expect(loss.lostSeconds.seconds > 1)
        let (_, report) = try await trial.export(
            [clip.path], settings: ExportTrial.settings(onTruncated: .salvage))
        #expect(report.warnings.contains { $0.code == "soundOverlap" })
        #expect(report.loss != nil)
    }

    @Test("a short overlap is a warning")
    func tellsShortOverlap() async throws {
        let clip = try Self.retimed("once.mkv", "if(lt(N\\,40)\\,TS\\,TS-80)")
        let (_, report) = try await ExportTrial().export([clip.path])
        #expect(report.warnings.contains { $0.code == "soundOverlap" })
        #expect(report.loss == nil)
    }
}
