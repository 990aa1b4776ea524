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

    @Test("white space is no damage", arguments: ["ppm", "pgm", "pbm"], ["\n", "\r\n \n"])
    func space(ending: String, space: String) async throws {
        let clip = try Self.still(ending).edited("space.\(ending)", recipe: "behind: \(space)") {
            $0 += Data(space.utf8)
        }
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
        #expect(try MediaTools.packets(path, stream: "v:0").count == 1)
    }

    @Test(
        "a picture that is cut, or is followed by half of one, is damage",
        arguments: ["ppm", "pgm"])
    func cut(ending: String) async throws {
        let whole = try Self.still(ending)
        let half = try whole.edited("half.\(ending)", recipe: "half, a newline") {
            $0 = $0.prefix($0.count / 2) + Data("\n".utf8)
        }
        for clip in [half, try Clip.concatenated("more.\(ending)", [whole, half])] {
            _ = try #require(try await ExportTrial().refusal([clip.path]))
        }
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
