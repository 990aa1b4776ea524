import Testing

@testable import TakeupIntake

@Suite("Duration text")
struct DurationTextTests {
    @Test(
        "reads what people write",
        arguments: [
            ("30d", 2_592_000), ("12h", 43_200), ("90m", 5400), ("45s", 45), ("45", 45),
            ("2W", 1_209_600), ("1.5h", 5400), ("0.5", 0.5), ("36500d", 3_153_600_000),
        ] as [(String, Double)])
    func reads(text: String, seconds: Double) {
        #expect(DurationText(parsing: text)?.seconds == seconds)
    }

    @Test("never is for ever", arguments: ["never", "none", "Never"])
    func never(text: String) {
        #expect(DurationText(parsing: text) != nil)
        #expect(DurationText(parsing: text)?.seconds == nil)
    }

    @Test(
        "refuses everything else",
        arguments: [
            "", "d", "0", "0d", "-1d", "1 d", "1y", "1e3", "1.2.3", ".5h", "5.", "36501d", "inf",
            "nan", "0x10", "99999999999999999999999d", "١d",
        ])
    func refuses(text: String) {
        #expect(DurationText(parsing: text) == nil)
    }
}
