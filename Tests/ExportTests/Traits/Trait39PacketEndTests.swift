import Foundation
import TakeupExport
import TestSupport
import Testing

/// Recorders write whole packets: they stop within a picture, but never within a packet.
@Suite("Trait 39: transport streams that end between two packets", .tags(.media))
struct Trait39PacketEndTests {
    private static let old = ["-c:v", "mpeg2video", "-q:v", "4", "-bf", "2", "-c:a", "mp2"]
    private static let new = ["-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac"]

    private func whole(_ name: String) throws -> Clip {
        let form = name.hasSuffix("m2ts") ? ["-mpegts_m2ts_mode", "1"] : []
        return try Clip.make(
            name,
            Clip.picture(size: "352x288", rate: "25", seconds: 2) + Clip.tone(seconds: 2)
                + ["-pix_fmt", "yuv420p", "-g", "12"] + (name.contains("old") ? Self.old : Self.new)
                + form)
    }

    @Test(
        "a picture that a recording stopped in is no damage", arguments: ["old.ts", "new.m2ts"],
        ["medium", "passthrough"])
    func takesEnd(name: String, preset: String) async throws {
        let clip = try whole(name)
        let length = name.hasSuffix("m2ts") ? 192 : 188
        let packets = try clip.bytes().count / length
        var warnings = 0
        for share in stride(from: 0.5, to: 0.8, by: 0.06) {
            let cut = try clip.truncated(
                toBytes: Int(Double(packets) * share) * length, as: name)
            let trial = try ExportTrial()
            let session = ExportSession(asset: Asset(path: cut.path), preset: try .named(preset))
            let report = try await session.export(to: trial.file("out.mp4"))
            #expect(report.loss == nil)
            warnings += report.warnings.filter { $0.code == "cutPacket" }.count
        }
        // Some may end between two pictures.
        #expect(warnings >= 3)
    }

    @Test("a whole recording is not cut", arguments: ["old.ts", "new.ts", "new.m2ts"])
    func takesWhole(name: String) async throws {
        let (_, report) = try await ExportTrial().export([try whole(name).path])
        #expect(report.loss == nil && report.warnings.isEmpty)
    }

    @Test("damage in the last picture of a whole recording is a loss")
    func refusesDamage() async throws {
        let broken = try whole("old.ts").edited("old.ts", recipe: "last picture") { bytes in
            let starts = stride(from: 0, to: bytes.count, by: 188).filter {
                // The first stream of FFmpeg's has the number 0x100.
                bytes[$0 + 1] == 0x41 && bytes[$0 + 2] == 0
            }
            guard let last = starts.last else { return }
            for place in last + 100..<last + 180 { bytes[place] = UInt8(place * 37 & 0xFF) }
        }
        let error = try await ExportTrial().refusal([broken.path])
        guard case .sourceIncomplete? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "a programme stream that ends within a packet is exported with a warning",
        arguments: ["old.mpg", "old.vob"])
    func programmeStream(name: String) async throws {
        let clip = try whole(name)
        let trial = try ExportTrial()
        let report = try await trial.export([clip.path], to: "whole.mp4").report
        #expect(!report.warnings.contains { $0.code == "cutPacket" })
        for percent in [55, 70, 85] {
            let bytes = try clip.bytes().count * percent / 100 | 1
            let cut = try clip.truncated(toBytes: bytes, as: name)
            let report = try await trial.export([cut.path], to: "\(percent).mp4").report
            #expect(report.loss == nil)
            #expect(report.warnings.contains { $0.code == "cutPacket" })
        }
    }
}
