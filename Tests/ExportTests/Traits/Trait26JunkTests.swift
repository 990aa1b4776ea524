import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

/// What lies behind the last frame that an MP3 states in its first one.
@Suite("Trait 26: bytes behind a whole MP3", .tags(.media))
struct Trait26JunkTests {
    private static func tone(_ seconds: Double, _ frequency: Int = 440) throws -> Clip {
        try Clip.make(
            "whole.mp3",
            Clip.tone(frequency: frequency, seconds: seconds) + ["-c:a", "libmp3lame"])
    }

    @Test("a second file whose frames are destroyed behind their headers is a loss")
    func destroyed() async throws {
        let second = try Self.tone(20, 880).edited("payload.mp3", recipe: "headers before 0xAA") {
            bytes in
            var place = 10 + Int(bytes[9])
            let rate = 48_000
            let rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
            while place + 4 < bytes.count, bytes[place] == 0xFF {
                let head = bytes[place + 2]
                let length = 144_000 * rates[Int(head >> 4)] / rate + Int(head >> 1 & 1)
                for index in place + 4..<min(bytes.count, place + length) { bytes[index] = 0xAA }
                place += length
            }
        }
        let clip = try Clip.concatenated("two.mp3", [Self.tone(20), second])
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
