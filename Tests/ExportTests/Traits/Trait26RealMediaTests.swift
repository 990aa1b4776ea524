import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 26: damaged RealMedia", .tags(.media))
struct Trait26RealMediaTests {
    static let forms = [
        ["-c:v", "rv10", "-c:a", "ac3"], ["-c:v", "rv20", "-g", "12", "-c:a", "ac3"],
        ["-vn", "-c:a", "ac3"],
    ]

    private static func whole(_ codecs: [String]) throws -> Clip {
        try Clip.make(
            "whole.rm",
            Clip.picture(size: "160x128", rate: "25", seconds: 6) + Clip.tone(seconds: 6) + codecs)
    }

    enum Change: String, CaseIterable {
        case third, random, cut

        func apply(_ bytes: inout Data) {
            let count = bytes.count
            switch self {
            case .third: bytes.removeSubrange(count / 3..<count * 2 / 3)
            case .cut: bytes = bytes.prefix(count * 2 / 3)
            case .random:
                var random = SeededRandom(state: 4)
                for place in count / 2..<count / 2 + 20_000 {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
        }
    }

    @Test("what is missing or overwritten is a loss", arguments: forms, Change.allCases)
    func damaged(codecs: [String], change: Change) async throws {
        let clip = try Self.whole(codecs).edited(
            "\(change).rm", recipe: change.rawValue, change.apply)
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let trial = try ExportTrial()
        let report = try await trial.export(
            [clip.path], settings: ExportTrial.settings(onTruncated: .salvage)
        ).report
        #expect(report.loss != nil)
    }

    @Test("a cut file says how much the header promises beyond its end", arguments: forms)
    func promised(codecs: [String]) async throws {
        let clip = try Self.whole(codecs).edited("short.rm", recipe: "60 %") { bytes in
            bytes = bytes.prefix(bytes.count * 3 / 5)
        }
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let end =
            try MediaTools.packets(clip.path, stream: codecs[0] == "-vn" ? "a:0" : "v:0")
            .compactMap(\.ptsTicks).max() ?? 0
        let missing = 6 - Double(end) / 1000
        #expect(abs(loss.lostSeconds.seconds - missing) < 0.2, "\(loss)")
        #expect(loss.isTruncated)
    }

    @Test("a whole file is no loss, and two of them as one are joined", arguments: forms)
    func joined(codecs: [String]) async throws {
        let whole = try Self.whole(codecs)
        let trial = try ExportTrial()
        let report = try await trial.export([whole.path]).report
        #expect(report.loss == nil && report.warnings.isEmpty)
        let twice = try Clip.concatenated("twice.rm", [whole, whole])
        let both = try await trial.export([twice.path], to: "twice.mp4").report
        #expect(both.loss == nil && abs(both.duration.seconds - 12) < 0.1)
    }

    @Test("a length of the media that is too small is not believed", arguments: forms)
    func understated(codecs: [String]) async throws {
        let clip = try Self.whole(codecs).edited("short.rm", recipe: "a third of DATA") { bytes in
            guard let place = bytes.range(of: Data("DATA".utf8))?.lowerBound else { return }
            let size = bytes[place + 4..<place + 8].reduce(0) { $0 << 8 | Int($1) } / 3
            for index in 0..<4 {
                bytes[place + 4 + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
            }
        }
        let report = try await ExportTrial().export([clip.path]).report
        #expect(report.loss == nil && abs(report.duration.seconds - 6) < 0.1)
    }
}
