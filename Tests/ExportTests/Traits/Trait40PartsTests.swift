import Foundation
import TakeupExport
import TakeupFFmpeg
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 40: sources that are several parts one after another", .tags(.media))
struct Trait40PartsTests {
    /// Two clips and what is different about the second one.
    struct Form: CustomTestStringConvertible, Sendable {
        let name: String
        var first: [String] = Trait40PartsTests.modern
        var second: [String] = Trait40PartsTests.modern
        var size = "160x96"
        var testDescription: String { "\(name) \(second.suffix(2).joined(separator: " ")) \(size)" }
    }

    static let modern = ["-c:v", "libx264", "-preset", "veryfast", "-g", "12", "-c:a", "aac"]
    static let old = ["-c:v", "mpeg2video", "-q:v", "3", "-c:a", "mp2"]
    static let other = ["-mpegts_start_pid", "0x200"]
    private static let fragments = ["-movflags", "frag_keyframe+empty_moov"]

    /// Programme maps that change midway.
    static let maps = [
        Form(name: "numbers.ts", second: modern + other),
        Form(name: "sizes.ts", second: modern + other, size: "320x192"),
        Form(name: "map.ts", second: modern + ["-mpegts_pmt_start_pid", "0x300"]),
        Form(name: "programme.ts", second: modern + ["-mpegts_service_id", "7"]),
        Form(name: "order.ts", second: ["-map", "1:a", "-map", "0:v"] + modern),
        Form(name: "codec.ts", second: old),
        Form(name: "codecs.ts", second: old + other),
        Form(name: "sound.ts", second: modern + ["-streamid", "0:256", "-streamid", "1:513"]),
        Form(
            name: "disc.m2ts", first: modern + ["-mpegts_m2ts_mode", "1"],
            second: modern + ["-mpegts_m2ts_mode", "1"] + other),
    ]

    /// Files of other containers, one behind the other.
    static let files = [
        Form(name: "index.mp4"), Form(name: "index.mov", size: "320x192"),
        Form(name: "fragments.mp4", first: modern + fragments, second: modern + fragments),
        Form(name: "film.mkv", second: modern),
        Form(name: "live.mkv", first: modern + ["-live", "1"], second: modern),
        Form(
            name: "tags.flv", first: modern + ["-ar", "44100"], second: modern + ["-ar", "44100"]),
        Form(name: "chunks.avi", first: old, second: old),
        Form(
            name: "chain.ogv", first: ["-c:v", "libtheora", "-q:v", "8", "-c:a", "libvorbis"],
            second: ["-c:v", "libtheora", "-q:v", "8", "-c:a", "libvorbis"]),
        Form(
            name: "objects.wmv", first: ["-c:v", "wmv2", "-q:v", "3", "-c:a", "wmav2"],
            second: ["-c:v", "wmv2", "-q:v", "3", "-c:a", "wmav2"]),
        Form(name: "packs.mpg", first: old, second: old),
        Form(name: "marks.nut"),
    ]

    private static func clip(_ form: Form, isFirst: Bool) throws -> Clip {
        try Clip.make(
            form.name,
            NumberedPictures.source(
                size: isFirst ? "160x96" : form.size, rate: "25", seconds: 1,
                first: isFirst ? 0 : 25)
                + Clip.tone(frequency: isFirst ? 440 : 880, seconds: 1)
                + (isFirst ? form.first : form.second))
    }

    static func source(_ form: Form) throws -> Clip {
        try Clip.concatenated(
            form.name, [clip(form, isFirst: true), clip(form, isFirst: false)])
    }

    @Test("all of it is exported, in order", arguments: maps + files)
    func exportsAll(form: Form) async throws {
        let trial = try ExportTrial()
        let session = ExportSession(
            asset: Asset(path: try Self.source(form).path), preset: try ExportTrial.preset())
        let report = try await session.export(to: trial.file("out.mp4"))
        let path = report.output
        // FFmpeg counts pictures at 25 a second, between which those behind the seam lie.
        let faults = try MediaTools.decodeErrors(path).filter { !$0.contains("monotonically") }
        #expect(faults == [])
        #expect(report.loss == nil)
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<50))
        let samples = try Samples(path)
        #expect(abs(samples.seconds - 2) < 0.2)
        #expect(abs(samples.pitch(from: 0.2, to: 0.8) - 440) < 2)
        #expect(abs(samples.pitch(from: 1.3, to: 1.9) - 880) < 2)
        let seam = try #require(
            try NumberedPictures.shown(in: path).first { $0.number == 25 }?.time)
        #expect(abs(seam - 1) < 0.2)
    }

    @Test(
        "sound alone goes on behind the seam too",
        arguments: ["wav", "aiff", "caf", "w64", "flac", "m4a", "opus", "ogg", "au", "mp3"])
    func exportsSound(ending: String) async throws {
        let parts = try [440, 880].map {
            try Clip.make("part.\(ending)", Clip.tone(frequency: $0, seconds: 1))
        }
        let source = try Clip.concatenated("parts.\(ending)", parts)
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [source.path], preset: .named("m4a"), to: "out.m4a")
        let samples = try Samples(path)
        #expect(abs(samples.seconds - 2) < 0.1)
        #expect(abs(samples.pitch(from: 0.2, to: 0.8) - 440) < 2)
        #expect(abs(samples.pitch(from: 1.2, to: 1.8) - 880) < 2)
    }

    @Test("a map that changes again and again, and back, is followed")
    func followsMany() async throws {
        let first = try Self.clip(Self.maps[0], isFirst: true)
        let second = try Self.clip(Self.maps[0], isFirst: false)
        let third = try Self.clip(Self.maps[5], isFirst: false)
        let source = try Clip.concatenated("many.ts", [first, second, first, third, second])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([source.path])
        let expected = [0, 25, 0, 25, 25].flatMap { Array($0..<$0 + 25) }
        #expect(try NumberedPictures.numbers(in: path) == expected)
    }

    @Test("sound that begins with the second part is there")
    func followsLateSound() async throws {
        let first = try Clip.make(
            "silent.ts",
            NumberedPictures.source(rate: "25", seconds: 1) + ["-c:v", "libx264", "-g", "12"])
        let second = try Self.clip(Self.maps[2], isFirst: false)
        let source = try Clip.concatenated("late.ts", [first, second])
        let trial = try ExportTrial()
        let (path, _) = try await trial.export([source.path])
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<50))
        let samples = try Samples(path)
        #expect(samples.level(from: 0.1, to: 0.9) < 0.001)
        #expect(abs(samples.pitch(from: 1.3, to: 1.9) - 880) < 2)
    }

    @Test("equal parts are copied whole", arguments: [maps[0], files[0], files[2], files[3]])
    func copies(form: Form) async throws {
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [Self.source(form).path], preset: .named("passthrough"))
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<50))
        #expect(try MediaTools.probe(path).streams("video").first?.codec == "h264")
    }

    @Test("a copy of parts that differ is refused", arguments: [maps[1], maps[5]])
    func refusesCopy(form: Form) async throws {
        let error = try await ExportTrial().refusal(
            [Self.source(form).path], preset: .named("passthrough"))
        guard case .unsupported(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("differ"))
    }

    @Test("a cut begins in the second part", arguments: [maps[1], maps[6], files[0], files[3]])
    func cuts(form: Form) async throws {
        let source = try Self.source(form)
        let trial = try ExportTrial()
        let duration = try await Asset(path: source.path).inspect().duration
        #expect(abs(duration.seconds - 2) < 0.1)
        let (path, report) = try await trial.export(
            [source.path], settings: ExportTrial.settings(from: 1.4, to: 1.8))
        #expect(report.loss == nil)
        let numbers = try NumberedPictures.numbers(in: path)
        #expect((33...36).contains(try #require(numbers.first)))
        #expect((9...11).contains(numbers.count))
        #expect(numbers == Array(numbers[0]..<numbers[0] + numbers.count))
    }

    @Test("probe and verify see all parts")
    func inspectsAll() async throws {
        let source = try Self.source(Self.maps[6])
        let found = try await Asset(path: source.path).inspect()
        #expect(found.tracks.map(\.codec) == ["h264", "aac", "mpeg2video", "mp2"])
        #expect(found.warnings.map(\.code) == ["partsJoined"])
        #expect(found.name == source.path)
        let whole = try await Verification.decodeWhole(source.path)
        #expect(whole.frames == 50 && whole.problems == [])
    }

    @Test("a second part that cannot be read is a loss, and the first can be salvaged")
    func tellsLostPart() async throws {
        let first = try Self.clip(Self.files[0], isFirst: true)
        let second = try Self.clip(Self.files[0], isFirst: false)
        let cut = try second.truncated(toBytes: 6000, as: "cut.mp4")
        let source = try Clip.concatenated("cut.mp4", [first, cut])
        let error = try await ExportTrial().refusal([source.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.details.contains { $0.contains("part 2 of 2") })
        let trial = try ExportTrial()
        let (path, report) = try await trial.export(
            [source.path], settings: ExportTrial.settings(onTruncated: .salvage))
        #expect(report.loss != nil)
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<25))
    }

    /// So short that only the first streams are known when the source is opened.
    private static var shortLimits: InputLimits {
        var limits = InputLimits()
        (limits.probeBytes, limits.analyzeSeconds) = (20_000, 1)
        return limits
    }

    @Test("a stream that takes another one's place, where the rest goes on, is a loss")
    func refusesReplacedStream() async throws {
        let source = try TransportEdit.middle(
            of: Clip.make(
                "replaced.ts",
                NumberedPictures.source(rate: "25", seconds: 4) + Clip.tone(seconds: 4)
                    + Self.modern), as: "replaced.ts"
        ) { $0.renumber(0x100, to: 0x300, behind: $1) }
        let known = try await Asset(path: source.path).inspect()
        #expect(known.tracks.count == 3)
        for limits in [InputLimits.standard, Self.shortLimits] {
            let asset = Asset(path: source.path, limits: limits)
            let loss = try #require(try await asset.inspect().loss)
            #expect(
                loss.details.contains { $0.hasPrefix("video (h264, number 768) begins midway") })
        }
        let error = try await ExportTrial().refusal([source.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.lostSeconds > MediaTime(value: 1, timescale: 1))
        let trial = try ExportTrial()
        let (path, report) = try await trial.export(
            [source.path], settings: ExportTrial.settings(onTruncated: .salvage))
        #expect(report.loss != nil)
        let numbers = try NumberedPictures.numbers(in: path)
        #expect(numbers.count > 30 && numbers == Array(0..<numbers.count))
    }

    @Test("a stream that begins midway, beside another one that goes on, is no loss")
    func leavesExtraStream() async throws {
        let source = try TransportEdit.middle(
            of: Clip.make(
                "extra.ts",
                NumberedPictures.source(rate: "25", seconds: 4) + Clip.tone(seconds: 4)
                    + Clip.tone(frequency: 880, seconds: 4)
                    + ["-map", "0:v", "-map", "1:a", "-map", "2:a"] + Self.modern), as: "extra.ts"
        ) { $0.hide(0x102, before: $1) }
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([source.path])
        #expect(report.loss == nil)
        let late = try await Asset(path: source.path, limits: Self.shortLimits).inspect()
        #expect(late.loss == nil)
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<100))
        #expect(abs(try Samples(path).pitch(from: 2.5, to: 3.5) - 440) < 2)
    }

    @Test("what a change of numbers midway in a group of pictures loses is told")
    func tellsBrokenGroup() async throws {
        let source = try TransportEdit.middle(
            of: Clip.make(
                "all.ts",
                NumberedPictures.source(rate: "25", seconds: 4) + Clip.tone(seconds: 4)
                    + Self.modern), as: "all.ts"
        ) {
            $0.renumber(0x100, to: 0x300, behind: $1)
            $0.renumber(0x101, to: 0x301, behind: $1)
        }
        let error = try await ExportTrial().refusal([source.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.details.contains { $0.hasPrefix("part 2 begins with") })
        let trial = try ExportTrial()
        let (path, _) = try await trial.export(
            [source.path], settings: ExportTrial.settings(onTruncated: .salvage))
        let numbers = try NumberedPictures.numbers(in: path)
        #expect(numbers.first == 0 && numbers.last == 99)
        #expect(numbers.count > 80)
    }

    @Test("parts are not paired with another file")
    func refusesPair() async throws {
        let source = try Self.source(Self.maps[0])
        let session = ExportSession(
            video: Asset(path: source.path), audio: Asset(path: try Clip.base().path),
            preset: try ExportTrial.preset())
        let error = await #expect(throws: ExportError.self) { try await session.plan() }
        guard case .unsupported = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
