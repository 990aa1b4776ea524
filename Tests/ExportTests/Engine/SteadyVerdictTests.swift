import Foundation
import TakeupExport
import TakeupTimeline
import TestSupport
import Testing

@Suite("Verdicts on damage", .tags(.media))
struct SteadyVerdictTests {
    private func clip() throws -> Clip {
        let noisy = "testsrc2=size=640x360:rate=30:duration=4,noise=alls=20:allf=t"
        return try Clip.make(
            "noisy.mp4",
            ["-f", "lavfi", "-i", noisy, "-c:v", "libx264", "-preset", "veryfast"]
                + ["-b:v", "1500k", "-g", "30", "-bf", "3"]
        ).edited("scarred.mp4", recipe: "12 × 20 bytes turned over") { bytes in
            for scar in 0..<12 {
                let place = bytes.count * (10 + 7 * scar) / 100
                for index in place..<place + 20 { bytes[index] ^= 0x5b }
            }
        }
    }

    @Test("are the same on every run, with several decoder threads too")
    func sameLoss() async throws {
        let clip = try clip()
        // A short cut is decoded by as many threads as there are processors.
        let settings = ExportTrial.settings(from: 0.5, to: 3.5, onTruncated: .salvage)
        var verdicts: Set<String> = []
        for _ in 0..<10 {
            let trial = try ExportTrial()
            let session = ExportSession(
                asset: Asset(path: clip.path), preset: try ExportTrial.preset("low"),
                settings: settings)
            let report = try await session.export(to: trial.file("out.mp4"))
            verdicts.insert("\(report.loss as Any)")
        }
        #expect(verdicts.count == 1, "\(verdicts)")
        #expect(verdicts.first != "nil")
    }

    @Test("of a whole decode are the same on every run")
    func sameProblems() async throws {
        let clip = try clip()
        var verdicts: Set<String> = []
        for _ in 0..<10 {
            verdicts.insert("\(try await Verification.decodeWhole(clip.path))")
        }
        #expect(verdicts.count == 1, "\(verdicts)")
    }
}
