import Foundation
import TakeupFFmpeg
import TestSupport
import Testing

@testable import TakeupExport

@Suite("ExportError", .tags(.media))
struct ExportErrorTests {
    private func error(
        _ code: Int32, _ operation: FFmpegError.Operation = .write
    ) -> ExportError {
        ExportError(
            FFmpegError(operation, status: FFmpegStatus(rawValue: -code), subject: "out"), .mux)
    }

    @Test("tells why writing failed")
    func writing() {
        for operation in [FFmpegError.Operation.write, .finish, .writeHeader] {
            #expect(error(ENOSPC, operation) == .diskFull("out"))
            #expect(error(EDQUOT, operation) == .diskFull("out"))
            for code in [EROFS, EACCES, EPERM] {
                #expect(error(code, operation) == .outputNotPermitted("out"))
            }
            #expect(
                error(EFBIG, operation)
                    == .outputFailed("out", reason: "file too large for this file system"))
            guard case .outputFailed("out", _) = error(EIO, operation) else {
                Issue.record("\(error(EIO, operation))")
                continue
            }
        }
        // A source's own trouble is not the output's.
        for code in [EFBIG, EACCES, EPERM, EROFS] {
            guard case .media = error(code, .read) else {
                Issue.record("\(code)")
                continue
            }
        }
    }

    @Test("an encoder that cannot be opened is a matter of encoding, not of opening the source")
    func setUp() async throws {
        let trial = try ExportTrial()
        var preset = try ExportTrial.preset()
        preset.video?.speed = "nonsense"
        var settings = ExportSettings()
        settings.copy = .never
        let error = try await trial.refusal(
            [TestSupport.Clip.base().path], preset: preset, settings: settings)
        guard case .media(let cause, .encode) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.operation == "openEncoder")
    }
}
