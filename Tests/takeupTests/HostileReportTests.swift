import Foundation
import TakeupModel
import Testing

@testable import takeup

@Suite("Reports of a process that hostile bytes may have taken over")
struct HostileReportTests {
    @Test("no failure ends with 0, whatever a report says", arguments: [0, 1, 65, 300, -1])
    func success(code: Int32) throws {
        let report = Failure(
            exitCode: ExitCode(rawValue: code), code: "fine", stage: "decode",
            message: "all is well", hint: "")
        let failure = Failure(ExportError.process(report))
        #expect(failure.status.rawValue == (code == 1 || code == 65 ? code : 70))
        let sent = try JSONDecoder().decode(Failure.self, from: try JSONEncoder().encode(report))
        #expect(sent.exitCode != .success)
    }
}
