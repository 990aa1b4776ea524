import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 40: TTA behind a tag", .tags(.media))
struct Trait40TagTests {
    /// The content of a tag's first frame, whose bytes may look like a header's fields.
    static let frames: [(name: String, content: [UInt8])] = [
        ("TIT2", [1, 0xFF, 0xFE, 0x41, 0, 0, 0]), ("POPM", [0x61, 0, 128, 0, 0, 0, 0]),
        ("PRIV", [0x61, 0, 1, 0, 0, 0]),
    ]

    private static func tagged(_ frequency: Int, _ frame: (name: String, content: [UInt8])) throws
        -> Clip
    {
        try Clip.make("tone.tta", Clip.tone(frequency: frequency, seconds: 1))
            .edited("tagged.tta", recipe: "ID3 with \(frame.name)") {
                let size = UInt8(frame.content.count)
                let body = Data(frame.name.utf8) + Data([0, 0, 0, size, 0, 0] + frame.content)
                let head = Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 0, UInt8(body.count)])
                $0 = head + body + $0
            }
    }

    @Test("one file is one part, two are two", arguments: frames.indices)
    func tag(_ index: Int) async throws {
        let parts = try [440, 880].map { try Self.tagged($0, Self.frames[index]) }
        let trial = try ExportTrial()
        let alone = try await trial.export([parts[0].path], to: "alone.mp4").report
        #expect(alone.loss == nil && alone.warnings.isEmpty)
        let source = try Clip.concatenated("two.tta", parts)
        let (path, report) = try await trial.export([source.path])
        let samples = try Samples(path)
        #expect(abs(samples.pitch(from: 0.2, to: 0.8) - 440) < 2)
        #expect(abs(samples.pitch(from: 1.2, to: 1.8) - 880) < 2)
        #expect(abs(samples.seconds - 2) < 0.1)
        #expect(report.loss == nil)
    }
}
