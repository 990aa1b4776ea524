import Foundation
import TakeupExport
import TakeupFFmpeg
import Testing

@Suite("FailureReport")
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
        ] as [(ExportError, FailureReport.Disposition)])
    func dispositions(error: ExportError, disposition: FailureReport.Disposition) {
        #expect(FailureReport(error).disposition == disposition)
    }

    @Test("travels as JSON")
    func codable() throws {
        let report = FailureReport(ExportError.notMedia("in", reason: "it is text"))
        let text = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(FailureReport.self, from: text) == report)
        #expect(report.message.contains("it is text") && report.exitCode == 65)
    }
}
