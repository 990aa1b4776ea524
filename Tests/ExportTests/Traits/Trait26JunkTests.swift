import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

/// What lies behind the last frame that an MP3 states in its first one.
@Suite("Trait 26: bytes behind a whole MP3", .tags(.media))
struct Trait26JunkTests {
    private static let tag = Data("TAG".utf8) + Data(repeating: 0x41, count: 125)

    /// What may follow the last frame, none of it sound.
    enum Junk: String, CaseIterable {
        case text, lyrics, picture

        func bytes() throws -> Data {
            switch self {
            case .text: return Data(repeating: 0x6A, count: 20_000)
            case .lyrics:
                let words = Data("LYRICSBEGIN".utf8) + Data(repeating: 0x61, count: 29_989)
                return words + Data("030000LYRICS200".utf8) + Trait26JunkTests.tag
            case .picture:
                let source = Clip.picture(size: "640x480", rate: "1", seconds: 1)
                return try Clip.make(
                    "junk.jpg", source + ["-frames:v", "1", "-q:v", "2", "-f", "mjpeg"]
                ).bytes()
            }
        }
    }

    private static func tone(_ seconds: Double, _ frequency: Int = 440) throws -> Clip {
        try Clip.make(
            "whole.mp3",
            Clip.tone(frequency: frequency, seconds: seconds) + ["-c:a", "libmp3lame"])
    }

    @Test("junk is no loss where all stated frames are there", arguments: Junk.allCases)
    func junk(_ junk: Junk) async throws {
        let more = try junk.bytes()
        #expect(more.count > 16_384)
        let clip = try Self.tone(10).edited("junk.mp3", recipe: junk.rawValue) { $0 += more }
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
        #expect(abs(try Samples(path).seconds - 10) < 0.1)
    }

    @Test("junk in place of the last stated frames is a loss")
    func missing() async throws {
        let clip = try Self.tone(10).edited("missing.mp3", recipe: "the end is text") {
            $0 = $0.prefix($0.count * 2 / 3) + Data(repeating: 0x6A, count: 40_000)
        }
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
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
