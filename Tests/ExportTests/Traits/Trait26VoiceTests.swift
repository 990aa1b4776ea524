import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 26: VOC with a hole", .tags(.media))
struct Trait26VoiceTests {
    private func whole() throws -> Clip {
        try Clip.make("whole.voc", Clip.tone(seconds: 4) + ["-c:a", "pcm_s16le"])
    }

    @Test("sound behind a mark of the end that zeros made is a loss")
    func zeros() async throws {
        let clip = try whole().edited("zeros.voc", recipe: "30,000 zeros at 40 %") { bytes in
            let start = bytes.count * 2 / 5
            bytes.resetBytes(in: start..<start + 30_000)
        }
        let error = try await ExportTrial().refusal([clip.path], preset: .named("m4a"))
        guard case .sourceIncomplete(_, let loss)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(loss.lostSeconds.seconds > 2 && loss.lostSeconds.seconds < 2.6)
        #expect(loss.isTruncated)
    }

    @Test("a little padding is none, nor is another file", arguments: [0, 900, 9000])
    func padding(bytes count: Int) async throws {
        let padding = Data(repeating: 0, count: count)
        let clip = try whole().edited("padded.voc", recipe: "\(count) zeros") { $0 += padding }
        let trial = try ExportTrial()
        let report = try await trial.export(
            [clip.path], preset: .named("m4a"), to: "a.m4a"
        ).report
        #expect(report.loss == nil && abs(report.duration.seconds - 4) < 0.05)
        let twice = try Clip.concatenated("twice.voc", [clip, whole()])
        let both = try await trial.export(
            [twice.path], preset: .named("m4a"), to: "b.m4a"
        ).report
        #expect(both.loss == nil && abs(both.duration.seconds - 8) < 0.1)
    }
}
