import TakeupTimeline
import Testing

@Suite("MediaTime parsing")
struct MediaTimeParsingTests {
    @Test(
        "reads seconds, clock times and fractions exactly",
        arguments: [
            ("0", 0, 1), ("12", 12, 1), ("12.5", 25, 2), ("0.000000001", 1, 1_000_000_000),
            ("007", 7, 1), ("1.1234567891", 1_123_456_789, 1_000_000_000),
            ("0.10070000000000001", 1007, 10_000), ("0.9999999999", 1, 1),
            ("0:59.9999999999", 60, 1), ("1.10", 11, 10),
            ("999999999", 999_999_999, 1),
            ("2:03", 123, 1), ("90:00", 5400, 1), ("1:02:03.250", 14893, 4), ("0:00:00", 0, 1),
            ("999999:59:59", 3_599_999_999, 1),
            ("1001/30000", 1001, 30_000), ("4/2", 2, 1), ("0/7", 0, 1),
            ("9223372036854775807/1", .max, 1),
        ] as [(String, Int64, Int64)])
    func accepted(text: String, value: Int64, timescale: Int64) {
        #expect(MediaTime(parsing: text) == MediaTime(value: value, timescale: timescale))
    }

    @Test(
        "refuses everything else",
        arguments: [
            "", " ", "-1", "+1", "1 ", " 1", "1s", "abc", "0x10", "1e3", "inf", "nan", ".5", "5.",
            ".",
            "1.2.3", "1,5", "1000000000", "9223372036854775808",
            "1/0", "1/", "/2", "/", "1/2/3", "-1/2", "1/-2", "1.5/2", "9223372036854775808/1",
            ":", "1:", ":1", "1:60", "1:2:60", "1:60:00", "1:2:3:4", "1:-2", "1:2.5:3",
            "1000000:00",
            "1:2/3", "1:\u{0}2", "１２", "٣", "1\u{301}", "1:０2", "12\n", "\u{FEFF}12", "1\u{200D}2",
        ])
    func refused(text: String) {
        #expect(MediaTime(parsing: text) == nil)
    }

    @Test("reads a part of a longer text, and survives very long ones")
    func hostileLengths() {
        #expect(MediaTime(parsing: "start=1:30".dropFirst(6)) == 90)
        let digits = String(repeating: "9", count: 100_000)
        #expect(MediaTime(parsing: digits) == nil)
        #expect(MediaTime(parsing: "1/" + digits) == nil)
        #expect(MediaTime(parsing: "0." + digits) == nil)
        #expect(MediaTime(parsing: String(repeating: ":", count: 100_000)) == nil)
        #expect(MediaTime(parsing: String(repeating: "0", count: 100_000)) == .zero)
    }
}
