import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Values that describe an export", .tags(.media))
struct ModelValuesTests {
    private func copied<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    @Test("a description, a plan and a failed promise are the same after a journey as JSON")
    func exact() async throws {
        let clip = try TestSupport.Clip.make(
            "journey.mkv",
            TestSupport.Clip.picture(size: "320x240", seconds: 1)
                + TestSupport.Clip.tone(seconds: 1)
                + [
                    "-r", "30000/1001", "-c:v", "libx264", "-c:a", "aac", "-metadata",
                    "title=ä\n\"b\"",
                ])
        let asset = Asset(path: clip.path)
        let description = try await asset.inspect()
        #expect(try copied(description) == description)
        var settings = ExportTrial.settings(from: 1 / 3, to: 0.9)
        settings.fileLengthLimit = 1 << 53 | 1
        for preset in ["medium", "passthrough", "stories"] {
            let session = ExportSession(
                asset: asset, preset: try .named(preset), settings: settings)
            let plan = try await session.plan()
            #expect(try copied(plan) == plan)
        }
        #expect(try copied(settings) == settings)
    }

    @Test("an error keeps its cause")
    func errors() throws {
        let cause = MediaFailure(operation: "read", code: -5, reason: "I/O error", subject: "in")
        let loss = LossReport(
            lostSeconds: MediaTime(value: 1001, timescale: 30000), details: ["a"], isTruncated: true
        )
        for error in [
            ExportError.media(cause, stage: .decode), .sourceIncomplete("in", loss), .cancelled,
            .sizeLimitUnreachable(limit: .max, smallest: 1),
        ] {
            #expect(try copied(error) == error)
        }
    }

    @Test("a time or a ratio without a denominator is refused")
    func refused() {
        for text in ["\"1/0\"", "\"1/-3\"", "\"1\"", "\"a/b\"", "1.5", "\"1/2/3\""] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(MediaTime.self, from: Data(text.utf8))
            }
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                Ratio.self, from: Data("{\"numerator\":1,\"denominator\":0}".utf8))
        }
    }
}
