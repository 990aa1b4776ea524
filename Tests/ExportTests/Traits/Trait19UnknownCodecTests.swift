import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 19: sound in an unknown codec", .tags(.media))
struct Trait19UnknownCodecTests {
    /// Two tones, the first of which nobody can decode.
    private func clip(_ tones: Int) throws -> Clip {
        let sound = Clip.tone(seconds: 1) + Clip.tone(frequency: 880, seconds: 1)
        let maps = ["-map", "0", "-map", "1"] + (tones == 2 ? ["-map", "2"] : [])
        let whole = try Clip.make(
            "tones.mp4",
            NumberedPictures.source(seconds: 1) + sound + maps + ["-c:v", "libx264", "-c:a", "aac"])
        return try whole.edited("unknown.mp4", recipe: "first mp4a and esds become zzzz") { bytes in
            // The box behind it names the codec once more.
            for name in ["mp4a", "esds"] {
                guard let place = bytes.range(of: Data(name.utf8)) else { return }
                bytes.replaceSubrange(place, with: Data("zzzz".utf8))
            }
        }
    }

    @Test("alone beside pictures: skipped with a warning")
    func skipsWithWarning() async throws {
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([try clip(1).path])
        let file = try MediaTools.probe(path)
        #expect(file.streams.map(\.type) == ["video"])
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<30))
        #expect(report.warnings.contains { $0.message.contains("track 1") })
    }

    @Test("beside sound that can be decoded: that one is taken")
    func takesTheOther() async throws {
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([try clip(2).path])
        #expect(try MediaTools.probe(path).streams.map(\.type) == ["video", "audio"])
        let pitch = try Samples(path).pitch(from: 0.2, to: 0.8)
        #expect(abs(pitch - 880) < 1)
        #expect(report.warnings.contains { $0.message.contains("track 1") })
    }

    @Test("where sound is all that was asked for: refused")
    func refusesSoundOnly() async throws {
        let trial = try ExportTrial()
        let error = try await trial.refusal([try clip(1).path], preset: .named("m4a"))
        guard case .unsupported = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
