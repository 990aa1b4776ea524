import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 26: AVI with palettes and many streams", .tags(.media))
struct Trait26AVITests {
    @Test("palettes do not stand for the pictures that are cut off")
    func palettes() async throws {
        let each = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1"
        let whole = try Clip.make(
            "palettes.avi",
            Clip.picture(size: "96x64", rate: "25", seconds: 2)
                + ["-vf", each, "-c:v", "rawvideo", "-pix_fmt", "pal8"])
        let (path, report) = try await ExportTrial().export([whole.path])
        #expect(report.loss == nil && report.frames == 50, "\(path)")
        let cut = try whole.truncated(
            toBytes: try whole.bytes().count * 7 / 10, as: "palettes.avi")
        let error = try await ExportTrial().refusal([cut.path])
        guard case .sourceIncomplete(_, let loss)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(abs(loss.lostSeconds.seconds - 0.6) < 0.1)
    }

    @Test("a whole file of eleven streams lacks nothing, whether or not it may have several parts")
    func manyStreams() async throws {
        let sounds = (0..<10).flatMap { _ in ["-map", "0:a"] }
        let whole = try Clip.make(
            "many.avi",
            Clip.tone(seconds: 1) + Clip.picture(size: "96x64", rate: "25", seconds: 1) + sounds
                + ["-map", "1:v", "-c:v", "mpeg4", "-c:a", "pcm_s16le"])
        // FFmpeg keeps the room for the header of later parts as junk.
        let open = try whole.edited("many.avi", recipe: "a header of parts") { bytes in
            guard let place = bytes.range(of: Data("odmldmlh".utf8)) else { return }
            let list = place.lowerBound - 8
            bytes.replaceSubrange(list..<list + 4, with: Data("LIST".utf8))
        }
        #expect(try open.bytes() != whole.bytes())
        for clip in [whole, open] {
            let (path, report) = try await ExportTrial().export([clip.path])
            #expect(report.loss == nil && report.frames == 25, "\(path)")
        }
    }
}
