import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 40: joined files whose demuxers stop at the first", .tags(.media))
struct Trait40LengthTests {
    /// FFmpeg refuses WavPack with other bytes than an APE tag behind it, which FFmpeg itself writes.
    static let sounds = [
        ("tta", ""), ("tta", "junk"), ("tta", "tag"), ("voc", ""), ("voc", "junk"), ("wv", ""),
    ]

    private static func tone(_ frequency: Int, _ ending: String) throws -> Clip {
        try Clip.make("tone.\(ending)", Clip.tone(frequency: frequency, seconds: 1))
    }

    @Test("every file of sound is exported", arguments: sounds)
    func sound(ending: String, between: String) async throws {
        let first = try Self.tone(440, ending).edited("first.\(ending)", recipe: between) {
            switch between {
            case "junk": $0 += Data(repeating: 0x6A, count: 700)
            case "tag": $0 += Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
            default: break
            }
        }
        let source = try Clip.concatenated("two.\(ending)", [first, Self.tone(880, ending)])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([source.path])
        let samples = try Samples(path)
        #expect(abs(samples.pitch(from: 0.2, to: 0.8) - 440) < 2)
        #expect(abs(samples.pitch(from: 1.2, to: 1.8) - 880) < 2)
        #expect(abs(samples.seconds - 2) < 0.1)
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "partsJoined" })
        let alone = try await trial.export([first.path], to: "alone.mp4").report
        #expect(alone.loss == nil && alone.warnings.isEmpty)
    }

    @Test("every file of pictures is exported", arguments: ["gif", "apng", "swf", "wtv", "flv"])
    func pictures(ending: String) async throws {
        let parts = try [0, 25].map {
            try Clip.make(
                "part.\(ending)",
                NumberedPictures.source(size: "160x96", rate: "25", seconds: 1, first: $0)
                    + (ending == "wtv" ? ["-c:v", "mpeg2video", "-q:v", "3"] : []))
        }
        let trial = try ExportTrial()
        let source = try Clip.concatenated("two.\(ending)", parts)
        let (path, report) = try await trial.export([source.path])
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<50))
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "partsJoined" })
    }

    @Test("every AMR file is exported")
    func speech() async throws {
        // A mode of 12.2 kb/s; a decoder takes any bits for speech.
        let whole = try Self.tone(440, "wav").edited("speech.amr", recipe: "100 frames") { bytes in
            var random = SeededRandom(state: 3)
            bytes = Data("#!AMR\n".utf8)
            for _ in 0..<100 {
                bytes.append(0x3C)
                for _ in 0..<31 { bytes.append(UInt8(truncatingIfNeeded: random.next())) }
            }
        }
        let twice = try Clip.concatenated("speech.amr", [whole, whole])
        let (_, report) = try await ExportTrial().export([twice.path])
        #expect(abs(report.duration.seconds - 4) < 0.1)
    }

    @Test("sound in a second chunk is a loss", arguments: ["wav", "aiff", "caf", "w64"])
    func chunks(ending: String) async throws {
        let whole = try Self.tone(440, ending)
        let twice = try whole.edited("chunks.\(ending)", recipe: "its sound comes twice") {
            let name = Data((ending == "aiff" ? "SSND" : "data").utf8)
            guard let place = $0.range(of: name)?.lowerBound else { return }
            let head = ["caf": 16, "aiff": 16, "w64": 24][ending] ?? 8
            $0 += $0[place..<place + head + 96_000]
        }
        let error = try await ExportTrial().refusal([twice.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(abs(loss.lostSeconds.seconds - 1) < 0.1)
        #expect(loss.details.contains { $0.contains("further chunk of sound") })
        _ = try await ExportTrial().export([whole.path])
    }
}
