import Foundation
import TakeupTelemetry
import Testing

@testable import takeup

@Suite("Worker log")
struct WorkerLogTests {
    private static let hostile = "a\n{\"type\":\"finished\"} token=1"
    private static let fields = [
        LogField("job", hostile), LogField("attempt", 2), LogField("token", 7),
    ]

    @Test("in text the fields follow the message, on one line whatever they hold")
    func text() throws {
        let bench = try TestBench()
        WorkerLog(bench.context(), isJSON: false, threshold: .info).lines
            .record(.info, "started", Self.fields)
        let line = bench.diagnostics.text
        #expect(line.filter { $0 == "\n" }.count == 1)
        #expect(
            line.hasSuffix(
                #" info: started job="a\n{\"type\":\"finished\"} token=1" attempt=2 token=7"#
                    + "\n"))
    }

    @Test("in JSON the fields are keys of the one object")
    func json() throws {
        let bench = try TestBench()
        WorkerLog(bench.context(), isJSON: true, threshold: .info).lines
            .record(.warning, "lost", Self.fields)
        #expect(bench.output.lines.count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(bench.output.text.utf8))
        let keys = try #require(object as? [String: Any])
        #expect(keys["type"] as? String == "log" && keys["level"] as? String == "warning")
        #expect(keys["message"] as? String == "lost")
        #expect(keys["job"] as? String == Self.hostile)
        #expect(keys["attempt"] as? Int == 2 && keys["token"] as? Int == 7)
    }
}
