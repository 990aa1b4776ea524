import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Damage of sound without a container", .tags(.media))
struct BareSoundTests {
    static let names = ["s.aac", "s.mp2", "s.mp3", "s.ac3", "s.eac3"]

    private static func whole(_ name: String) throws -> Clip {
        let kind = name.split(separator: ".").last.map(String.init) ?? name
        return try Clip.make(
            name,
            Clip.tone(seconds: 10)
                + ["-strict", "-2", "-c:a", ["mp3": "libmp3lame", "dts": "dca"][kind] ?? kind])
    }

    private func loss(_ clip: Clip, _ preset: ExportPreset) async throws -> LossReport? {
        let error = try await ExportTrial().refusal([clip.path], preset: preset)
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return loss
    }

    @Test(
        "blocks overwritten in the middle are damage of a copy",
        arguments: ["s.aac", "s.ac3", "s.eac3"])
    func overwritten(name: String) async throws {
        let clip = try Self.whole(name).edited(name, recipe: "60 bytes in 3 places") { bytes in
            for part in [4, 5, 6] {
                let place = bytes.count * part / 10
                for index in place..<place + 60 { bytes[index] ^= 0x5A }
            }
        }
        #expect(try #require(try await loss(clip, .named("passthrough"))).lostSeconds > .zero)
    }

    /// What becomes of bytes in the middle.
    enum Change: String, CaseIterable {
        case cut, zeroed, repeated

        func apply(_ bytes: inout Data) {
            let (place, count) = (bytes.count / 2, 2001)
            let range = place..<place + count
            switch self {
            case .cut: bytes.removeSubrange(range)
            case .zeroed: bytes.replaceSubrange(range, with: Data(count: count))
            case .repeated: bytes.insert(contentsOf: Data(bytes[range]), at: place)
            }
        }
    }

    @Test(
        "bytes that are cut out, zeroed or repeated in the middle are a loss", arguments: names,
        Change.allCases)
    func changed(name: String, change: Change) async throws {
        let clip = try Self.whole(name).edited(name, recipe: change.rawValue, change.apply)
        let found = try #require(try await loss(clip, ExportTrial.preset()))
        #expect(found.lostSeconds > .zero && found.lostSeconds < 1)
        #expect(try await loss(clip, .named("passthrough")) != nil)
    }

    @Test(
        "tags at the ends and between files put together are no damage",
        arguments: ["s.aac", "s.mp2", "s.mp3"])
    func tags(name: String) async throws {
        let whole = try Self.whole(name)
        let clip = try whole.edited(name, recipe: "tags around two of them") { bytes in
            let first = Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 1, 0]) + Data(count: 128)
            let last = Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
            bytes = first + bytes + last + first + bytes + last
        }
        let trial = try ExportTrial()
        let report = try await trial.export([clip.path]).report
        #expect(report.loss == nil)
    }

    @Test("frames of odd lengths follow one another", arguments: names, [44100, 32000])
    func oddLengths(name: String, rate: Int) async throws {
        let kind = name.split(separator: ".").last.map(String.init) ?? name
        let clip = try Clip.make(
            name,
            Clip.tone(sampleRate: rate, seconds: 2)
                + ["-c:a", kind == "mp3" ? "libmp3lame" : kind])
        let trial = try ExportTrial()
        #expect(try await trial.export([clip.path]).report.loss == nil)
    }

    @Test(
        "a copy of sound that begins within a block begins with the first whole one",
        arguments: ["s.ac3", "s.eac3"])
    func beginsMidway(name: String) async throws {
        let whole = try Self.whole(name)
        let clip = try whole.edited(name, recipe: "without 5003 bytes") { $0 = $0.dropFirst(5003) }
        let trial = try ExportTrial()
        let report = try await trial.export([clip.path], preset: .named("passthrough")).report
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "endLeftOut" })
        let count = try MediaTools.packets(report.output, stream: "a:0").count
        #expect(try count == MediaTools.packets(clip.path, stream: "a:0").count - 1)
    }

    @Test(
        "a copy of sound that ends within a block ends with the last whole one",
        arguments: ["s.ac3", "s.eac3", "s.mp2", "s.aac", "s.mp3"])
    func endsMidway(name: String) async throws {
        let whole = try Self.whole(name)
        let clip = try whole.edited(name, recipe: "without the last 100 bytes") {
            $0 = $0.dropLast(100)
        }
        let trial = try ExportTrial()
        let report = try await trial.export([clip.path], preset: .named("passthrough")).report
        #expect(report.loss == nil)
        let source = try MediaTools.packets(whole.path, stream: "a:0").count
        let count = try MediaTools.packets(report.output, stream: "a:0").count
        #expect((source - 2...source).contains(count))
        if ["s.ac3", "s.eac3"].contains(name) {
            #expect(count == source - 1 && report.warnings.contains { $0.code == "endLeftOut" })
        }
    }

    @Test("what stands behind the last frame that an MP3 states is no sound")
    func behindMP3() async throws {
        let whole = try Self.whole("s.mp3")
        let clip = try whole.edited("s.mp3", recipe: "part of a frame and junk") { bytes in
            var random = SeededRandom(state: 7)
            bytes += Data(bytes[bytes.startIndex + 2000..<bytes.startIndex + 2300])
            bytes += (0..<1800).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        for preset in try [ExportTrial.preset(), .named("passthrough")] {
            let trial = try ExportTrial()
            let report = try await trial.export([clip.path], preset: preset).report
            #expect(report.loss == nil && abs(report.duration.seconds - 10) < 0.1)
        }
        // Without sound in the middle, the end is none either.
        let holed = try clip.edited("s.mp3", recipe: "without 2,001 bytes", Change.cut.apply)
        #expect(try await loss(holed, ExportTrial.preset()) != nil)
    }

    @Test("what stands behind FLAC is no damage of a copy", arguments: ["tag", "zeros", "junk"])
    func behindFLAC(kind: String) async throws {
        let clip = try Self.whole("s.flac").edited("s.flac", recipe: kind) { bytes in
            switch kind {
            case "tag": bytes += Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
            case "zeros": bytes += Data(count: 3000)
            default: bytes += Data(repeating: 0x6A, count: 700)
            }
        }
        let trial = try ExportTrial()
        let report = try await trial.export([clip.path], preset: .named("passthrough")).report
        #expect(report.loss == nil)
        #expect(report.warnings.isEmpty)
        #expect(report.duration == MediaTime(seconds: Int64(10)))
    }

    @Test(
        "bytes of DTS that are cut out, zeroed or repeated are a loss", arguments: Change.allCases)
    func changedDTS(change: Change) async throws {
        let whole = try Self.whole("s.dts")
        let clip = try whole.edited("s.dts", recipe: change.rawValue, change.apply)
        #expect(try await loss(clip, ExportTrial.preset()) != nil)
        _ = try await ExportTrial().export([whole.path])
    }

    private static func lossless(_ ending: String, _ options: [String] = []) throws -> Clip {
        try Clip.make(
            "s.\(ending)",
            Clip.tone(seconds: 6) + options
                + ["-strict", "-2", "-c:a", ending == "thd" ? "truehd" : ending])
    }

    @Test(
        "a third of TrueHD or MLP that is missing or overwritten is a loss",
        arguments: ["thd", "mlp"], [true, false])
    func brokenUnits(ending: String, isMissing: Bool) async throws {
        for options in [["-ar", "48000"], ["-ar", "88200", "-ac", "6"]] {
            let whole = try Self.lossless(ending, options)
            let clip = try whole.edited("s.\(ending)", recipe: "third \(isMissing)") { bytes in
                // Units are of whole words: an odd offset is never between two of them, where nothing would tell.
                let range = bytes.count / 3 / 2 * 2 + 1..<bytes.count * 2 / 3 / 2 * 2 + 4
                if isMissing {
                    bytes.removeSubrange(range)
                } else {
                    var random = SeededRandom(state: 7)
                    for place in range { bytes[place] = UInt8.random(in: 0...255, using: &random) }
                }
            }
            // Another reader misses sound too.
            #expect(try Samples(clip.path).seconds < 5.9)
            let found = try #require(try await loss(clip, ExportTrial.preset()))
            #expect(found.lostSeconds > .zero && found.lostSeconds < 3)
            let trial = try ExportTrial()
            #expect(try await trial.export([whole.path]).report.loss == nil)
        }
    }

    @Test("TrueHD that begins within a unit, and two files of it as one, are whole")
    func wholeUnits() async throws {
        let whole = try Self.lossless("thd")
        let twice = try Clip.concatenated("twice.thd", [whole, whole])
        let (_, report) = try await ExportTrial().export([twice.path])
        #expect(report.loss == nil && abs(report.duration.seconds - 12) < 0.05)
        let late = try whole.edited("late.thd", recipe: "without 5001 bytes") {
            $0 = $0.dropFirst(5001)
        }
        #expect(try await ExportTrial().export([late.path]).report.loss == nil)
    }

    @Test(
        "a long end that is no sound is a loss", arguments: ["s.thd", "s.mlp", "s.dts", "s.eac3"])
    func longTail(name: String) async throws {
        let isLossless = name == "s.thd" || name == "s.mlp"
        let whole =
            try isLossless ? Self.lossless(String(name.suffix(3))) : Self.whole(name)
        let clip = try whole.edited(name, recipe: "random from 60 % on") { bytes in
            var random = SeededRandom(state: 9)
            for place in bytes.count * 3 / 5..<bytes.count {
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        let found = try #require(try await loss(clip, ExportTrial.preset()))
        #expect(found.lostSeconds.seconds > 1 && found.lostSeconds < 10)
    }

    @Test("raw DV without some of its bytes, and a VOC file that was cut, are told")
    func otherBare() async throws {
        let film = try Clip.make(
            "whole.dv",
            Clip.picture(size: "720x576", rate: "25", seconds: 2) + Clip.tone(seconds: 2)
                + ["-ac", "2", "-pix_fmt", "yuv420p"])
        let holed = try film.edited("holed.dv", recipe: "100,000 bytes less in the middle") {
            $0.removeSubrange(3_456_000..<3_556_000)
        }
        #expect(try await loss(holed, ExportTrial.preset()) != nil)
        _ = try await ExportTrial().export([film.path])
        let voice = try Clip.make("whole.voc", Clip.tone(seconds: 4) + ["-c:a", "pcm_s16le"])
        let cut = try voice.truncated(toBytes: 176_400, as: "cut.voc")
        #expect(try await loss(cut, ExportTrial.preset()) != nil)
        _ = try await ExportTrial().export([voice.path])
    }

    @Test("raw DV whose timecode jumps is told", arguments: ["25", "30000/1001"])
    func missingFrames(rate: String) async throws {
        let isWide = rate == "25"
        let film = try Clip.make(
            "timed.dv",
            Clip.picture(size: isWide ? "720x576" : "720x480", rate: rate, seconds: 3)
                + Clip.tone(seconds: 3)
                + ["-ac", "2", "-pix_fmt", isWide ? "yuv420p" : "yuv411p"]
                + ["-timecode", isWide ? "01:00:58:00" : "01:00:58;00"])
        let frame = isWide ? 144_000 : 120_000
        let holed = try film.edited("holed.dv", recipe: "without frames 20 to 39") {
            $0.removeSubrange(20 * frame..<40 * frame)
        }
        let trial = try ExportTrial()
        let told = try await trial.export([holed.path]).report.warnings
        let seconds = isWide ? "0.800" : "0.667"
        #expect(told.contains { $0.code == "timecodeJumps" && $0.message.contains(seconds) })
        for clip in try [film, Clip.concatenated("twice.dv", [film, film])] {
            let report = try await trial.export([clip.path], to: "\(UUID()).mp4").report
            #expect(report.warnings.isEmpty, "\(report.warnings)")
        }
    }

    @Test("a cut of sound whose length no header states", arguments: ["truehd", "mlp"])
    func unstatedLength(codec: String) async throws {
        let clip = try Clip.make(
            "long.\(codec == "mlp" ? "mlp" : "thd")",
            Clip.tone(seconds: 4) + ["-ar", "48000", "-strict", "-2", "-c:a", codec])
        let (_, report) = try await ExportTrial().export(
            [clip.path], settings: ExportTrial.settings(from: 1, to: 3))
        #expect(abs(report.duration.seconds - 2) < 0.05)
    }
}
