import Foundation
import TakeupLanes
import TakeupTimeline
import TestSupport
import Testing

@testable import TakeupExport

@Suite("Verification")
struct VerificationTests {
    @Test("a whole clip has nothing wrong")
    func whole() async throws {
        let found = try await Verification.decodeWhole(Clip.base().path)
        #expect(found.problems == [] && found.frames == 60)
        #expect(abs(found.duration.seconds - 2) < 0.1)
    }

    @Test("what is no media or no file, and what is not there, are told apart")
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
        #expect(refusals == ["notMedia", "notMedia", "inputMissing"])
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
        let fractions = Locked<[Double]>([])
        let meter = ProgressMeter(interval: .zero) { progress in
            fractions.withLock { $0.append(progress.fraction) }
        }
        meter.begin(.verify, from: 0, to: 0.5, total: 2)
        let whole = WholeDecode(
            opened: try Asset(path: clip.path).open(), cancellation: Cancellation())
        #expect(try whole.run(meter) == found)
        // The second time, with one thread, tells its progress too.
        #expect(fractions.withLock { $0.count { $0 > 0.5 } } > 10)
    }

    @Test("parts one after another lose all that each of them loses, and problems say where")
    func parts() {
        var first = Verification(duration: 4, frames: 100, problems: ["it is damaged"])
        first.lostSeconds = 1
        let whole = Verification(duration: 2, frames: 50, problems: [])
        var last = Verification(duration: 6, frames: 150, problems: ["a", "b"])
        last.lostSeconds = 3
        let sum = Verification(parts: [first, whole, last], mostProblems: 2)
        #expect(sum.duration == 12 && sum.frames == 300 && sum.lostSeconds == 4)
        #expect(sum.problems == ["part 1 of 3: it is damaged", "part 3 of 3: a"])
        #expect(Verification(parts: [first], mostProblems: 20) == first)
    }

    @Test("what is lost at once counts once, what is lost in turn adds up")
    func losses() {
        let losses = [1, 3].map { (lost: Int64) in
            LossReport(
                lostSeconds: MediaTime(value: lost, timescale: 1), details: ["\(lost) s"],
                isTruncated: lost == 1)
        }
        #expect(LossReport.beside(losses)?.lostSeconds == 3)
        #expect(LossReport.inTurn(losses)?.lostSeconds == 4)
        #expect(LossReport.inTurn(losses)?.details == ["1 s", "3 s"])
        #expect(LossReport.inTurn(losses)?.isTruncated == true && LossReport.inTurn([]) == nil)
    }
}
