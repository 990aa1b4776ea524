import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Trait 40: several chunks of sound in one file", .tags(.media))
struct Trait40ChunkTests {
    static let endings = ["wav", "aiff", "caf", "w64"]

    /// Two seconds of sound, and a chunk with `bytes` more of it; `isWithin` tells whether an AIFF
    /// file's length counts the second chunk too.
    private static func chunks(_ ending: String, _ bytes: Int, isWithin: Bool = true) throws -> Clip
    {
        let whole = try Clip.make("tone.\(ending)", Clip.tone(seconds: 2))
        return try whole.edited("chunks.\(ending)", recipe: "\(bytes) again, \(isWithin)") {
            let name = Data((ending == "aiff" ? "SSND" : "data").utf8)
            guard let place = $0.range(of: name)?.lowerBound else { return }
            let head = ["caf": 16, "aiff": 16, "w64": 24][ending] ?? 8
            var chunk = Data($0[place..<place + head + bytes])
            func state(_ value: Int, at offset: Int, bytes: Int, isBig: Bool) {
                for index in 0..<bytes {
                    let shift = 8 * (isBig ? bytes - 1 - index : index)
                    chunk[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
                }
            }
            switch ending {
            case "aiff": state(bytes + 8, at: 4, bytes: 4, isBig: true)
            case "caf": state(bytes + 4, at: 4, bytes: 8, isBig: true)
            case "w64": state(bytes + 24, at: 16, bytes: 8, isBig: false)
            default: state(bytes, at: 4, bytes: 4, isBig: false)
            }
            $0 = $0.prefix(place + head + 192_000) + chunk
            guard ending == "aiff", isWithin else { return }
            let size = $0.count - 8
            for index in 0..<4 {
                $0[4 + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
            }
        }
    }

    private func loss(_ clip: Clip) async throws -> LossReport? {
        let error = try await ExportTrial().refusal([clip.path])
        guard case .sourceIncomplete(_, let loss) = error else {
            Issue.record("\(String(describing: error))")
            return nil
        }
        return loss
    }

    @Test("the chunk that is not read is the loss", arguments: endings)
    func shorter(ending: String) async throws {
        let clip = try Self.chunks(ending, 48_000)
        let loss = try #require(try await loss(clip))
        #expect(abs(loss.lostSeconds.seconds - 2) < 0.02)
        let bytes = try clip.bytes()
        let name = Data((ending == "aiff" ? "SSND" : "data").utf8)
        let first = try #require(bytes.range(of: name)).lowerBound
        #expect(loss.details.contains { $0.contains("bytes \(first) to ") })
        let trial = try ExportTrial()
        let (path, report) = try await trial.export(
            [clip.path], settings: ExportTrial.settings(onTruncated: .salvage))
        #expect(abs(try Samples(path).seconds - 0.5) < 0.05)
        #expect(report.loss != nil)
    }

    @Test("a chunk behind the form of an AIFF file is the loss, as it is not read")
    func behind() async throws {
        let loss = try #require(try await loss(Self.chunks("aiff", 48_000, isWithin: false)))
        #expect(abs(loss.lostSeconds.seconds - 0.5) < 0.02)
    }

    @Test("an empty chunk behind the form of an AIFF file is none")
    func empty() async throws {
        let clip = try Self.chunks("aiff", 0, isWithin: false)
        let trial = try ExportTrial()
        let (path, report) = try await trial.export([clip.path])
        #expect(report.loss == nil)
        #expect(abs(try Samples(path).seconds - 2) < 0.05)
    }
}
