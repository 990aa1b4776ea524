import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 14: bytes behind a still picture", .tags(.media))
struct Trait14TailTests {
    private static func still(_ ending: String) throws -> Clip {
        let source = Clip.picture(size: "160x96", rate: "5", seconds: 1)
        return try Clip.make("still.\(ending)", source + ["-frames:v", "1"])
    }

    @Test("a second picture that is not read is told", arguments: ["jxl", "tiff"])
    func second(ending: String) async throws {
        let whole = try Self.still(ending)
        let clip = try Clip.concatenated("two.\(ending)", [whole, whole])
        let trial = try ExportTrial()
        let alone = try await trial.export([whole.path], to: "alone.mp4").report
        #expect(!alone.warnings.contains { $0.code == "unknownTail" })
        let report = try await trial.export([clip.path]).report
        #expect(report.warnings.contains { $0.code == "unknownTail" })
    }
}
