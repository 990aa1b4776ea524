import TakeupFFmpeg
import TakeupModel
import TakeupTimeline
import Testing

@testable import TakeupModel
@testable import takeup

@Suite("Failures")
struct FailureTests {
    struct Row: Sendable {
        let error: ExportError
        let exitCode: Int32
        let code: String
    }

    private static let loss = LossReport(
        lostSeconds: MediaTime(seconds: Int64(2)), details: ["video: 60 frames"],
        isTruncated: true)

    static let rows: [Row] = [
        Row(error: .inputMissing("in"), exitCode: 66, code: "inputMissing"),
        Row(error: .inputUnreadable("in", reason: "why"), exitCode: 74, code: "inputUnreadable"),
        Row(error: .inputNotPermitted("in"), exitCode: 77, code: "inputNotPermitted"),
        Row(error: .notMedia("in", reason: "why"), exitCode: 65, code: "notMedia"),
        Row(error: .unsupported("in", reason: "why"), exitCode: 65, code: "unsupported"),
        Row(
            error: .contentIsProtected("in", reason: "why"), exitCode: 65,
            code: "contentIsProtected"),
        Row(error: .sourceIncomplete("in", loss), exitCode: 65, code: "sourceIncomplete"),
        Row(
            error: .invalidRequest(reason: "in why", hint: "so"), exitCode: 64,
            code: "invalidRequest"),
        Row(error: .outputExists("in"), exitCode: 73, code: "outputExists"),
        Row(error: .outputNotCreated("in", reason: "why"), exitCode: 73, code: "outputNotCreated"),
        Row(error: .outputNotPermitted("in"), exitCode: 77, code: "outputNotPermitted"),
        Row(error: .diskFull("in"), exitCode: 74, code: "diskFull"),
        Row(error: .outputFailed("in", reason: "why"), exitCode: 74, code: "outputFailed"),
        Row(
            error: .sizeLimitUnreachable(limit: 1, smallest: 2), exitCode: 1,
            code: "sizeLimitUnreachable"),
        Row(
            error: .sizeLimitTooLow(limit: 1, least: 2), exitCode: 1,
            code: "sizeLimitUnreachable"),
        Row(
            error: .verificationFailed("in", reason: "why"), exitCode: 76,
            code: "verificationFailed"),
        Row(
            error: .media(
                MediaFailure(
                    operation: "decode", code: -1_094_995_529, reason: "invalid data",
                    subject: "in"), stage: .decode),
            exitCode: 1, code: "media"),
        Row(error: .cancelled, exitCode: 130, code: "cancelled"),
    ]

    @Test(
        "every export error has an exit code, a stable code, a message and a hint", arguments: rows)
    func table(row: Row) {
        let failure = Failure(row.error)
        #expect(failure.exitCode.rawValue == row.exitCode)
        #expect(failure.code == row.code)
        #expect(failure.hint.count > 1)
        #expect(failure.message.contains("in"))
        #expect(failure.code != "internal")
    }

    @Test("a stop by signal keeps the signal's number")
    func signals() {
        #expect(Failure(ExportError.cancelled, signal: 15).exitCode.rawValue == 143)
        #expect(Failure(ExportError.cancelled, signal: 2).exitCode.rawValue == 130)
    }

    @Test(
        "every preset error has an exit code",
        arguments: [
            (.unknown(name: "x", suggestions: ["low"]), 64),
            (.unreadable(path: "x", reason: "gone"), 66),
            (.invalid(path: "x", key: "video.crf", reason: "is too large"), 78),
            (.unsupported(name: "x", reason: "no"), 64),
        ] as [(PresetError, Int32)])
    func presets(error: PresetError, exitCode: Int32) {
        let failure = Failure(error)
        #expect(failure.exitCode.rawValue == exitCode)
        #expect(failure.message.contains("x"))
    }
}
