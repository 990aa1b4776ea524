import Foundation
import TakeupModel
import Testing

@Suite("Hostile preset files")
struct PresetHostileTests {
    static let deep = 30_000

    static let texts: [String: String] = [
        "nothing": "", "blank": " \n", "null": "null", "number": "1", "text": #""low""#,
        "list": "[]", "empty object": "{}", "cut short": #"{"name": "a", "video": {"#,
        "NaN": #"{"name": NaN}"#, "infinity": #"{"sizeLimit": -Infinity}"#,
        "huge exponent": PresetDecodingTests.json(video: #""codec": "h264", "crf": 1e99999"#),
        "tiny exponent": PresetDecodingTests.json(video: #""codec": "h264", "crf": 1e-99999"#),
        "huge integer": PresetDecodingTests.json(
            and: #", "sizeLimit": \#(String(repeating: "9", count: 5_000))"#),
        "past Int64": PresetDecodingTests.json(and: #", "sizeLimit": 9223372036854775808"#),
        "least Int64": PresetDecodingTests.json(and: #", "sizeLimit": -9223372036854775808"#),
        "deep lists": String(repeating: "[", count: deep),
        "closed deep lists": String(repeating: "[", count: deep)
            + String(repeating: "]", count: deep),
        "deep objects": String(repeating: #"{"a":"#, count: deep / 3),
        "deep settings": #"{"video": "# + String(repeating: "[", count: 500)
            + String(repeating: "]", count: 500) + "}",
        "lone surrogate": #"{"name": "\uD800", "container": "mp4"}"#,
        "control characters": #"{"name": "\u0000\u001b[2J", "container": "mp4"}"#,
        "hostile key": #"{"\u001b]0;x\u0007\n": 1}"#,
        "long key": #"{"\#(String(repeating: "k", count: 60_000))": 1}"#,
        "long name": #"{"name": "\#(String(repeating: "n", count: 60_000))"}"#,
        "too long": String(repeating: " ", count: ExportPreset.longestFile + 1),
        "object for a number": PresetDecodingTests.json(video: #""codec": "h264", "crf": {}"#),
        "list for a codec": PresetDecodingTests.json(video: #""codec": ["h264"]"#),
        "comment": PresetDecodingTests.json() + "// no",
    ]

    @Test("are refused with a short, printable reason", arguments: texts.keys.sorted())
    func refused(name: String) throws {
        let text = try #require(Self.texts[name])
        let error = #expect(throws: PresetError.self) {
            try ExportPreset.decode(Data(text.utf8), from: "bad.json")
        }
        let message = error?.description ?? ""
        #expect(message.hasPrefix("Cannot use preset file 'bad.json': "))
        #expect(message.utf8.count < 1_000)
        #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }

    @Test("of raw bytes are refused")
    func bytes() {
        let table: [[UInt8]] = [
            [0], [0xFF], [0xFF, 0xFE], [0xFE, 0xFF, 0xD8, 0x00], [0xEF, 0xBB, 0xBF],
            [0x7B, 0x22, 0xC0, 0x80, 0x22, 0x3A, 0x31, 0x7D], [0, 0, 0xFE, 0xFF, 0, 0, 0],
            Array(0...255), Array(repeating: 0x22, count: 65_536),
        ]
        for bytes in table {
            #expect(throws: PresetError.self, "\(bytes.prefix(8))") {
                try ExportPreset.decode(Data(bytes), from: "bad.json")
            }
        }
    }

    @Test("made by damaging a good one never trap", arguments: 1...8)
    func damaged(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let tokens = ["null", "1e400", "-1", "{", "]", "\"", "9999999999", ",", "\\u0000", "true"]
        let good = try JSONEncoder().encode(ExportPreset.named("proxy"))
        for _ in 0..<200 {
            var bytes = [UInt8](good)
            for _ in 0...next(3) {
                let start = next(bytes.count)
                let end = min(bytes.count, start + next(4))
                let token = Array(tokens[next(tokens.count)].utf8)
                let foreign = next(2) == 0 ? token : [UInt8(next(256))]
                bytes.replaceSubrange(start..<end, with: foreign)
            }
            guard let preset = try? ExportPreset.decode(Data(bytes), from: "x") else { continue }
            let again = try ExportPreset.decode(JSONEncoder().encode(preset), from: "again")
            #expect(again == preset)
        }
    }
}
