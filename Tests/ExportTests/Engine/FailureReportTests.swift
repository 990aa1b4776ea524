import Foundation
import TakeupExport
import TakeupFFmpeg
import Testing

@Suite("Failure")
struct FailureReportTests {
    private static func media(_ status: FFmpegStatus) -> ExportError {
        .media(
            MediaFailure(FFmpegError(.decode, status: status, subject: "in")), stage: .decode)
    }

    @Test(
        "only what can heal is tried again",
        arguments: [
            (.inputUnreadable("in", reason: "I/O error"), .retry),
            (.outputFailed("out", reason: "I/O error"), .retry),
            (media(.outOfMemory), .retry), (media(FFmpegStatus(rawValue: -EIO)), .retry),
            (media(.invalidData), .giveUp), (.inputMissing("in"), .giveUp),
            (.notMedia("in", reason: "text"), .giveUp), (.outputExists("out"), .giveUp),
            (.verificationFailed("out", reason: "short"), .giveUp),
            (.diskFull("out"), .diskFull), (.cancelled, .cancelled),
        ] as [(ExportError, Failure.Disposition)])
    func dispositions(error: ExportError, disposition: Failure.Disposition) {
        #expect(Failure(error).disposition == disposition)
    }

    @Test("travels as JSON")
    func codable() throws {
        let report = Failure(ExportError.notMedia("in", reason: "it is text"))
        let text = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(Failure.self, from: text) == report)
        #expect(report.message.contains("it is text") && report.exitCode == .notMedia)
    }
}
