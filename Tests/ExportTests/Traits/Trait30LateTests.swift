import Foundation
import TakeupExport
import TestSupport
import Testing

@Suite("Trait 30: times beyond all clocks", .tags(.media))
struct Trait30LateTests {
    @Test(
        "fragments that begin in billions of years are refused",
        arguments: ["passthrough", "medium"], [UInt8(0x0F), 0x40])
    func late(preset: String, first: UInt8) async throws {
        let clip = try Clip.make(
            "fragments.mp4",
            Clip.picture(size: "160x96", rate: "25", seconds: 2) + Clip.tone(seconds: 2) + [
                "-c:v", "libx264", "-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov",
            ]
        ).edited("late.mp4", recipe: "last tfdt begins with \(first)") { bytes in
            guard let place = bytes.range(of: Data("tfdt".utf8), options: .backwards) else {
                return
            }
            bytes[place.upperBound + 4] = first
        }
        let error = try await ExportTrial().refusal([clip.path], preset: .named(preset))
        #expect(error != nil)
    }
}
