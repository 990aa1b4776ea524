import TakeupModel
import Testing

@testable import takeup

@Suite("Reports of a process that hostile bytes may have taken over")
struct HostileReportTests {
    @Test("no failure ends with 0, whatever a report says", arguments: [0, 1, 65, 300, -1])
    func success(code: Int32) {
        let report = FailureReport(
            code: "fine", stage: "decode", message: "all is well", hint: "",
            ending: FailureReport.Ending(code, .giveUp))
        let failure = Failure(ExportError.process(report))
        #expect(failure.exitCode != .success)
        #expect(failure.exitCode.rawValue == (code == 1 || code == 65 ? code : 70))
    }
}
