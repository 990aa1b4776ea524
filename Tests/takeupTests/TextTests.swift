import Foundation
import TakeupIntake
import TakeupModel
import TakeupTimeline
import TestSupport
import Testing

@testable import takeup

@Suite("Text")
struct TextTests {
    @Test(
        "what could steer a terminal is made visible",
        arguments: [
            ("plain é 日本 👩‍👧.mp4", "plain é 日本 👩‍👧.mp4"), ("a\nb\tc\r", "a\\nb\\tc\\r"),
            ("\u{1B}[31m", "\\u{1b}[31m"), ("\u{202E}4pm", "\\u{202e}4pm"),
            ("\u{9B}2J\u{7F}", "\\u{9b}2J\\u{7f}"), ("\u{2028}", "\\u{2028}"),
        ])
    func escaping(text: String, expected: String) {
        #expect(text.escaped == expected)
    }

    @Test(
        "a shell reads the quoted word of a hint as the same text",
        arguments: [
            ("story-42", "story-42"), ("a b", "\"a b\""), ("it's", "\"it's\""),
            ("$x`\"\\", #""\$x\`\"\\""#), ("", "\"\""),
        ])
    func shellWords(text: String, expected: String) throws {
        #expect(text.shellWord == expected)
        let read = try Subprocess.run("sh", ["-c", "printf %s \(expected)"])
        #expect(read.outputText == text)
    }

    @Test("JSON is read back as it was, for any text")
    func json() throws {
        var random = SeededRandom(state: 7)
        for _ in 0..<500 {
            let scalars = (0..<20).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2100, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let value: JSONValue = ["k": .text(text), "n": .number(1e-9), "l": [.null, true]]
            let decoded = try JSONSerialization.jsonObject(with: Data("\(value)".utf8))
            #expect((decoded as? [String: Any])?["k"] as? String == text)
            #expect(!"\(value)".contains("\n"))
        }
    }

    @Test(
        "numbers and times read as people write them",
        arguments: [
            (Decimals.fixed(1.005, places: 2), "1.00"), (Decimals.fixed(-0.001, places: 2), "0.00"),
            (Decimals.text(12.34, digits: 3), "12.3"), (Decimals.fixed(.nan, places: 1), "-"),
            ("\(ByteSize(bytes: 1))", "1 byte"), ("\(ByteSize(bytes: 999))", "999 bytes"),
            ("\(ByteSize(bytes: 999_600))", "1.00 MB"),
            ("\(ByteSize(bytes: 25_000_000))", "25.0 MB"),
            (Timestamp.iso(951_827_696.9) ?? "", "2000-02-29T12:34:56Z"),
            (Timestamp.iso(-1) ?? "none", "none"), (Timestamp.iso(.nan) ?? "none", "none"),
            (Timestamp.relative(0, now: 119), "119 s ago"),
            (Timestamp.relative(7200, now: 0), "in 2 h"), (Timestamp.span(172_800), "2 d"),
            (Timestamp.relative(.infinity, now: 0), "-"),
            (ClockText.coarse(3723), "1:02:03"), (ClockText.coarse(0.2), "0:01"),
            (ClockText.coarse(.infinity), "-:--"),
            (ClockText.exact(MediaTime(value: 7250, timescale: 1000)), "0:07.250"),
            (ClockText.exact(MediaTime(value: -1, timescale: 1000)), "-0:00.001"),
        ])
    func numbers(text: String, expected: String) {
        #expect(text == expected)
    }
}
