import TakeupFetch
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
    @Test(
        "reads seconds and dates, at most the cap, at least 0",
        arguments: [
            ("0", Int64(0)), ("30", 30), (" 120 ", 120), ("121", 120),
            ("99999999999999999999999", 120), ("Sat, 21 Nov 2026 12:00:45 GMT", 45),
            ("Sat, 21 Nov 2026 13:00:00 GMT", 120), ("Sat, 21 Nov 2026 11:00:00 GMT", 0),
            ("Sat Nov 21 12:00:10 2026", 10),
        ])
    func reads(text: String, seconds: Int64) {
        let wish = RetryAfter(text, now: JudgeRow.now, capSeconds: 120)
        #expect(wish?.seconds == seconds)
    }

    @Test("refuses anything else", arguments: ["", "-1", "1.5", "soon", "+3", "٣"])
    func refuses(text: String) {
        #expect(RetryAfter(text, now: JudgeRow.now, capSeconds: 120) == nil)
    }
}
