import TakeupTelemetry
import Testing

@Suite("Log")
struct LogTests {
    @Test("a line is its message, then its fields in order")
    func text() {
        let record = LogRecord(
            level: .info, message: "started",
            fields: [LogField("job", "a-1"), LogField("attempt", 2), LogField("token", 7)])
        #expect(record.text == "started job=a-1 attempt=2 token=7")
        #expect(LogRecord(level: .info, message: "ready").text == "ready")
    }

    @Test(
        "a value that could be read as something else is in quotes",
        arguments: [
            ("plain-é_1.mov", "plain-é_1.mov"), ("", #""""#), ("two words", #""two words""#),
            ("x\" attempt=9", #""x\" attempt=9""#), ("a\n2026 error: b", #""a\n2026 error: b""#),
            (#"c:\x"#, #""c:\\x""#), ("a=b", #""a=b""#), ("\u{1B}[31m", #""\u{1b}[31m""#),
            ("\u{202E}gpj", #""\u{202e}gpj""#), ("\u{2028}", #""\u{2028}""#),
        ])
    func quoted(value: String, shown: String) {
        #expect(LogField("job", value).description == "job=\(shown)")
    }

    @Test("what is below the threshold is not even made")
    func threshold() {
        let log = Log(threshold: .warning) { #expect($0.level >= .warning) }
        log.record(
            .info,
            {
                Issue.record("made"); return ""
            }())
        log.record(.warning, "wanted")
    }
}
