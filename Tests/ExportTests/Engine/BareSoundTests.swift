import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Damage of sound without a container", .tags(.media))
struct BareSoundTests {
    private static func whole(_ name: String) throws -> Clip {
        let kind = name.split(separator: ".").last.map(String.init) ?? name
        return try Clip.make(
            name, Clip.tone(seconds: 10) + ["-c:a", kind == "mp3" ? "libmp3lame" : kind])
    }

    private func loss(_ clip: Clip, _ preset: ExportPreset) async throws -> LossReport? {
        let error = try await ExportTrial().refusal([clip.path], preset: preset)
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return loss
    }

    @Test(
        "blocks overwritten in the middle are damage of a copy",
        arguments: ["s.aac", "s.ac3", "s.eac3"])
    func overwritten(name: String) async throws {
        let clip = try Self.whole(name).edited(name, recipe: "60 bytes in 3 places") { bytes in
            for part in [4, 5, 6] {
                let place = bytes.count * part / 10
                for index in place..<place + 60 { bytes[index] ^= 0x5A }
            }
        }
        #expect(try #require(try await loss(clip, .named("passthrough"))).lostSeconds > .zero)
    }
}
