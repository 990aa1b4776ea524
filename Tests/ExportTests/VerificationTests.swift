import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Verification")
struct VerificationTests {
    @Test("a whole clip has nothing wrong")
    func whole() async throws {
        let found = try await Verification.decodeWhole(Clip.base().path)
        #expect(found.problems == [] && found.frames == 60)
        #expect(abs(found.duration.seconds - 2) < 0.1)
    }

    @Test("what is no media, what is no file and what is not there are told apart")
    func refusals() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path
        let text = try folder.write(Data("no media\n".utf8), to: "text.mp4")
        var refusals: [String] = []
        for place in [text, path, path + "/missing"] {
            do throws(ExportError) {
                _ = try await Verification.decodeWhole(place)
            } catch {
                refusals.append("\(error)".split(separator: "(")[0].description)
            }
        }
        #expect(refusals == ["notMedia", "inputUnreadable", "inputMissing"])
    }

    @Test("damage in the middle is a problem that is named")
    func damaged() async throws {
        let clip = try Clip.base().edited("base.mp4", recipe: "noise in the middle") { bytes in
            for place in stride(from: bytes.count / 3, to: bytes.count / 2, by: 7) {
                bytes[place] ^= 0x5A
            }
        }
        let found = try await Verification.decodeWhole(clip.path)
        #expect(!found.problems.isEmpty)
    }
}
