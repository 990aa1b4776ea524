import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 27: corrupt packets", .tags(.media))
struct Trait27CorruptPacketTests {
    /// Ten bytes in each of three places of the media are turned over.
    private func clip(_ name: String, _ options: [String]) throws -> Clip {
        let whole = try Clip.make(
            name,
            Clip.picture(size: "320x240", seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-b:v", "500k", "-g", "20", "-c:a", "aac"] + options)
        return try whole.edited(name, recipe: "3 × 40 bytes turned over") { bytes in
            for part in [4, 5, 6] {
                let place = bytes.count * part / 10
                for index in place..<place + 40 { bytes[index] ^= 0xff }
            }
        }
    }

    static let containers = ["noise.mp4", "noise.ts", "noise.mkv"]

    @Test("fails, and leaves nothing", arguments: containers)
    func fails(name: String) async throws {
        let trial = try ExportTrial()
        let error = try await trial.refusal([try clip(name, []).path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!loss.details.isEmpty)
        #expect(loss.lostSeconds > .zero)
    }

    @Test("salvages with the loss stated", arguments: containers)
    func salvages(name: String) async throws {
        let trial = try ExportTrial()
        let settings = ExportTrial.settings(onTruncated: .salvage)
        let (path, report) = try await trial.export([try clip(name, []).path], settings: settings)
        let loss = try #require(report.loss)
        #expect(!loss.details.isEmpty)
        #expect(report.warnings.contains { $0.code == "lossSalvaged" })
        let file = try MediaTools.probe(path)
        // The good half is there, at its place in time.
        #expect(abs((file.format.duration ?? 0) - 2) < 0.15)
        #expect(try MediaTools.frameCount(path) > 30)
    }

    @Test("a picture that comes out wrong, unmarked, is lost too")
    func unmarked() async throws {
        let whole = try Clip.make(
            "checksums.mkv",
            Clip.picture(size: "160x120", seconds: 1)
                + ["-c:v", "ffv1", "-level", "3", "-slicecrc", "1", "-g", "1"])
        let clip = try whole.edited("checksums.mkv", recipe: "1 byte turned over") { bytes in
            bytes[bytes.count / 2] ^= 0xff
        }
        let trial = try ExportTrial()
        let error = try await trial.refusal([clip.path])
        guard case .sourceIncomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let settings = ExportTrial.settings(onTruncated: .salvage)
        let (_, report) = try await trial.export([clip.path], settings: settings)
        #expect((report.loss?.lostSeconds ?? .zero) > .zero)
        _ = try await trial.export([whole.path], to: "whole.mp4")
    }

    @Test("a raw stream that begins where a recovery begins is not damaged")
    func beginsMidway() async throws {
        let whole = try Clip.make(
            "refresh.h264",
            Clip.picture(size: "160x120", rate: "25", seconds: 4)
                + ["-c:v", "libx264", "-x264-params", "intra-refresh=1:keyint=25"])
        let clip = try whole.edited("refresh.h264", recipe: "from the third recovery on") { bytes in
            // Parameter sets come again with each.
            let sets = bytes.prefix(5)
            var places: [Int] = []
            var place = bytes.startIndex
            while let next = bytes[place...].range(of: sets) {
                places.append(next.lowerBound)
                place = next.upperBound
            }
            if places.count > 2 { bytes = bytes.suffix(from: places[2]) }
        }
        try #require(try clip.bytes().count < whole.bytes().count)
        let trial = try ExportTrial()
        let (_, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
    }
}
