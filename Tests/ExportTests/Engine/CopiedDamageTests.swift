import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Copies of damaged sources", .tags(.media))
struct CopiedDamageTests {
    /// Two seconds of pictures and sound, 40 bytes turned over in each of three places.
    private func damaged(_ name: String) throws -> Clip {
        try whole(name).edited(name, recipe: "3 × 40 bytes turned over") { bytes in
            for part in [4, 5, 6] {
                let place = bytes.count * part / 10
                for index in place..<place + 40 { bytes[index] ^= 0xff }
            }
        }
    }

    private func whole(_ name: String) throws -> Clip {
        try Clip.make(
            name,
            Clip.picture(size: "320x240", seconds: 2) + Clip.tone(seconds: 2)
                + ["-c:v", "libx264", "-b:v", "500k", "-g", "20", "-c:a", "aac"]
                + (name.hasSuffix("mp4") ? ["-movflags", "+faststart"] : []))
    }

    private func cut(_ name: String) throws -> Clip {
        let clip = try whole(name)
        return try clip.truncated(toBytes: try clip.bytes().count * 6 / 10 | 1, as: name)
    }

    private func loss(
        _ clip: Clip, _ preset: ExportPreset, _ settings: ExportSettings = .init()
    ) async throws -> LossReport? {
        let error = try await ExportTrial().refusal(
            [clip.path], preset: preset, settings: settings)
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return loss
    }

    private func salvage(
        _ clip: Clip, _ trial: ExportTrial, _ settings: ExportSettings
    ) async throws -> ExportReport {
        let session = ExportSession(
            asset: Asset(path: clip.path), preset: try .named("passthrough"), settings: settings)
        return try await session.export(to: trial.file("out.mp4"))
    }

    static let names = ["damaged.mp4", "damaged.mkv", "damaged.ts"]

    @Test("a damaged source fails with what an export that encodes says", arguments: names)
    func refuses(name: String) async throws {
        let clip = try damaged(name)
        let found = try #require(try await loss(clip, .named("passthrough")))
        #expect(found.lostSeconds > .zero)
        // Of packets that the container marks the number is known before anything is decoded.
        guard name.hasSuffix("mp4") else { return }
        #expect(try await loss(clip, ExportTrial.preset()) == found)
    }

    @Test(
        "with salvage it is copied as it is, and the loss is told", arguments: names,
        [ExportSettings.Verification.quick, .full])
    func salvages(name: String, verification: ExportSettings.Verification) async throws {
        let clip = try damaged(name)
        let trial = try ExportTrial()
        var settings = ExportTrial.settings(onTruncated: .salvage)
        settings.verification = verification
        let report = try await salvage(clip, trial, settings)
        #expect(try #require(report.loss).lostSeconds > .zero)
        #expect(report.warnings.contains { $0.code == "lossSalvaged" })
        let count = try MediaTools.packets(report.output, stream: "v:0").count
        #expect(try count == MediaTools.packets(clip.path, stream: "v:0").count)
    }

    @Test("damage within a cut is told too")
    func cutRange() async throws {
        let clip = try damaged("damaged.mp4")
        let settings = ExportTrial.settings(from: 0.5, to: 1.8)
        let found = try #require(try await loss(clip, .named("passthrough"), settings))
        #expect(found.lostSeconds > .zero && found.lostSeconds < 1)
    }

    @Test(
        "a source that is cut short fails with what is missing",
        arguments: ["cut.mp4", "cut.mkv", "cut.flv"])
    func refusesCut(name: String) async throws {
        let clip = try cut(name)
        let found = try await loss(clip, .named("passthrough"))
        #expect(found?.isTruncated == true && found?.details.isEmpty == false)
        #expect(try await loss(clip, ExportTrial.preset()) == found)
    }

    @Test(
        "with salvage all that is there of it is copied",
        arguments: ["cut.mp4", "cut.mkv", "cut.flv"])
    func salvagesCut(name: String) async throws {
        let clip = try cut(name)
        let trial = try ExportTrial()
        let report = try await salvage(clip, trial, ExportTrial.settings(onTruncated: .salvage))
        let loss = try #require(report.loss)
        let count = try MediaTools.packets(report.output, stream: "v:0").count
        #expect(try count == MediaTools.packets(clip.path, stream: "v:0").count)
        #expect(abs(loss.lostSeconds.seconds - Double(60 - count) / 30) < 0.2)
    }

    @Test("the last picture of a broadcast that was cut within it is no failure")
    func broadcast() async throws {
        let clip = try whole("broadcast.ts")
        let bytes = try clip.bytes().count / 188 * 6 / 10 * 188 + 100
        let cut = try clip.truncated(toBytes: bytes, as: "broadcast.ts")
        let trial = try ExportTrial()
        let report = try await salvage(cut, trial, .init())
        #expect(report.loss == nil)
        #expect(report.warnings.contains { $0.code == "cutPacket" })
    }

    /// Sound in ADTS, the headers of some of its blocks overwritten so that a muxer cannot take these.
    private func damagedHeaders() throws -> Clip {
        try whole("headers.ts").edited("headers.ts", recipe: "six headers of ADTS") { bytes in
            var found = 0
            for place in 0..<bytes.count - 1
            where bytes[place] == 0xFF && bytes[place + 1] == 0xF1 && place > bytes.count / 2 {
                found += 1
                if (3...8).contains(found) { bytes[place] = 0 }
            }
        }
    }

    @Test("a packet that a muxer refuses is damage of the source, where nothing but a copy is made")
    func refusedPacket() async throws {
        let clip = try damagedHeaders()
        let found = try #require(try await loss(clip, .named("passthrough")))
        #expect(found.lostSeconds > .zero)
        let trial = try ExportTrial()
        let report = try await salvage(clip, trial, ExportTrial.settings(onTruncated: .salvage))
        #expect(try #require(report.loss).lostSeconds > .zero)
        #expect(try MediaTools.packets(report.output, stream: "a:0").count > 60)
    }

    @Test("a fault in one block of sound is one of the copy too", arguments: ["s.flac", "s.m4a"])
    func oneBlock(name: String) async throws {
        let codec = name == "s.flac" ? "flac" : "alac"
        let whole = try Clip.make(name, Clip.tone(seconds: 2) + ["-c:a", codec])
        let trial = try ExportTrial()
        let passthrough = try ExportPreset.named("passthrough")
        _ = try await trial.export([whole.path], preset: passthrough, to: "whole.mp4")
        let clip = try whole.edited(name, recipe: "one block is cut or of no kind") { bytes in
            // The first three bits of a block of ALAC tell what it holds.
            let media = bytes.range(of: Data("mdat".utf8))?.upperBound
            if let media { bytes[media] = 0x40 } else { bytes = bytes.dropLast() }
        }
        var settings = ExportSettings()
        settings.verification = .full
        #expect(try #require(try await loss(clip, passthrough, settings)).lostSeconds > .zero)
    }
}
