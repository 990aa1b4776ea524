import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

/// Damage that is short in blocks, and long in time.
@Suite("Trait 26: long blocks of sound", .tags(.media))
struct Trait26BlockTests {
    private static let noise = ["-f", "lavfi", "-i", "anoisesrc=d=4:a=0.3:r=44100:s=1"]

    /// The least form of damage that its decoder would not tell by itself.
    static let codecs = ["flac", "tta", "wv", "ac3", "eac3"]

    private func whole(_ name: String) throws -> Clip {
        try Clip.make(name, Self.noise + ["-ac", "2"])
    }

    private func refusal(_ clip: Clip) async throws -> LossReport? {
        let error = try await ExportTrial().refusal([clip.path], preset: .named("m4a"))
        guard case .sourceIncomplete(_, let loss)? = error else {
            Issue.record("\(clip.path): \(String(describing: error))")
            return nil
        }
        return loss
    }

    @Test("a block whose checksum is wrong is lost", arguments: codecs, [0.5, 0.97])
    func checksums(ending: String, place: Double) async throws {
        let clip = try whole("noise.\(ending)")
        let trial = try ExportTrial()
        let session = ExportSession(asset: Asset(path: clip.path), preset: try .named("m4a"))
        #expect(try await session.export(to: trial.file("a.m4a")).loss == nil)
        // AC-3 may miss one block of 35 ms.
        let places = ending.hasSuffix("ac3") ? [0, 20_000] : [0]
        let broken = try clip.edited("noise.\(ending)", recipe: "\(places) at \(place)") { bytes in
            for step in places { bytes[Int(Double(bytes.count) * place) - step] ^= 0x10 }
        }
        let loss = try #require(try await refusal(broken))
        #expect(loss.lostSeconds > .zero)
    }

    private func units(
        _ ending: String, _ recipe: String, _ change: (inout Data) -> Void
    ) throws -> Clip {
        let clip = try Clip.make(
            "units.thd", Clip.tone(seconds: 4) + ["-ac", "2", "-c:a", "truehd", "-strict", "-2"])
        let broken = try clip.edited("units.thd", recipe: "\(ending), \(recipe)", change)
        guard ending != "thd" else { return broken }
        return try Clip.make("units.\(ending)", ["-i", broken.path, "-c", "copy"])
    }

    @Test("units of TrueHD whose checksum is wrong are lost", arguments: ["thd", "mkv"])
    func units(ending: String) async throws {
        let clip = try units(ending, "wrong sums") { bytes in
            var (place, count) = (0, 0)
            while place + 4 < bytes.count {
                let length = (Int(bytes[place] & 15) << 8 | Int(bytes[place + 1])) * 2
                count += 1
                // The last byte of a unit is a checksum.
                if count % 16 == 9 { bytes[place + length - 1] ^= 1 }
                place += length
            }
        }
        let loss = try #require(try await refusal(clip))
        #expect(loss.lostSeconds.seconds > 0.2 && loss.lostSeconds.seconds < 0.3)
    }

    @Test("units of TrueHD without a fault are none", arguments: ["thd", "mkv"])
    func soundUnits(ending: String) async throws {
        let clip = try units(ending, "whole") { _ in }
        let trial = try ExportTrial()
        let session = ExportSession(asset: Asset(path: clip.path), preset: try .named("m4a"))
        let report = try await session.export(to: trial.file("a.m4a"))
        #expect(report.loss == nil && report.warnings.isEmpty)
    }

    @Test("one lost block of a second is a loss", arguments: [0.1, 0.5])
    func longBlocks(place: Double) async throws {
        let clip = try whole("long.tta")
        let broken = try clip.edited("long.tta", recipe: "2,000 bytes at \(place)") { bytes in
            let start = Int(Double(bytes.count) * place)
            for place in start..<start + 2000 { bytes[place] ^= 0xA5 }
        }
        let loss = try #require(try await refusal(broken))
        #expect(loss.lostSeconds.seconds > 0.4)
    }

    @Test("words behind the sound are no damaged block", arguments: ["flac", "tta"])
    func tags(ending: String) async throws {
        let clip = try whole("tagged.\(ending)").edited("tagged.\(ending)", recipe: "ID3v1") {
            $0 += Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
        }
        let trial = try ExportTrial()
        let session = ExportSession(asset: Asset(path: clip.path), preset: try .named("m4a"))
        let report = try await session.export(to: trial.file("a.m4a"))
        #expect(report.loss == nil && abs(report.duration.seconds - 4) < 0.03)
    }
}
