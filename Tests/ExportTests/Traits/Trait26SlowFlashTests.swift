import TakeupExport
import TestSupport
import Testing

@Suite("Trait 26: FLV of a few pictures a second", .tags(.media))
struct Trait26SlowFlashTests {
    private static func whole(_ rate: Int, _ codec: [String]) throws -> Clip {
        try Clip.make(
            "slow.flv", NumberedPictures.source(rate: "\(rate)", seconds: 10) + codec)
    }

    static let codecs = [["-c:v", "flv"], ["-c:v", "libx264", "-bf", "3"]]

    @Test("a whole file is no loss", arguments: [1, 2], codecs)
    func whole(rate: Int, codec: [String]) async throws {
        let clip = try Self.whole(rate, codec)
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
        #expect(try NumberedPictures.numbers(in: path) == Array(0..<10 * rate))
        let duration = try #require(try MediaTools.probe(path).streams("video").first?.duration)
        #expect(abs(duration - 10) < 0.1)
    }

    @Test("a file without its last pictures is cut", arguments: codecs)
    func cut(codec: [String]) async throws {
        let clip = try Self.whole(1, codec).edited("cut.flv", recipe: "fewer tags") { bytes in
            // What ends the stream of H.264 is a tag too.
            for _ in 0..<(codec.contains("libx264") ? 6 : 2) {
                let length = bytes.suffix(4).reduce(0) { $0 << 8 | Int($1) }
                bytes = bytes.dropLast(length + 4)
            }
        }
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
