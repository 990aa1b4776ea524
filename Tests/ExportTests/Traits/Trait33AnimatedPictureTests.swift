import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 33: animated and still pictures", .tags(.media))
struct Trait33AnimatedPictureTests {
    @Test("an animated PNG keeps its pictures and times")
    func takesAnimatedPNG() async throws {
        let clip = try Clip.make(
            "moving.apng", NumberedPictures.source(rate: "10", seconds: 1) + ["-f", "apng"])
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.frames == 10)
        let shown = try NumberedPictures.shown(in: path)
        #expect(shown.map(\.number) == Array(0..<10))
        let farthest = shown.map { abs($0.time - Double($0.number) / 10) }.max()
        #expect(try #require(farthest) < 0.001)
    }

    @Test("an animated WebP is refused: FFmpeg cannot decode its pictures")
    func refusesAnimatedWebP() async throws {
        let clip = try Clip.make(
            "moving.webp",
            NumberedPictures.source(rate: "10", seconds: 1) + ["-c:v", "libwebp_anim"])
        #expect(try clip.bytes().range(of: Data("ANMF".utf8)) != nil)
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path])
        switch error {
        case .unsupported, .notMedia: break
        default: Issue.record("\(String(describing: error))")
        }
    }
}
