import Foundation
import TakeupIntake
import Testing

/// The schema beside the documents says the same as the reader.
@Suite("Schema of timelines")
struct TimelineSchemaTests {
    private static var schema: [String: Any]? {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/timeline.schema.json")
        let object = (try? Data(contentsOf: file)).flatMap {
            try? JSONSerialization.jsonObject(with: $0)
        }
        return object as? [String: Any]
    }

    /// Faults that no schema can tell: they lie between values, or in how the text is written.
    private static let beyond = [
        "it is empty", "after start", "comes twice", "it has no sources", "begins before",
        "nothing may follow", "but is 1/101", "but is 21 dB", "no segment is", "another transition",
        "ducks under", "ducks to",
    ]

    @Test("what the reader refuses, the schema refuses", arguments: TimelineFileTests.faults)
    func refused(text: String, words: String) throws {
        // Foundation reads 1e999 as no number at all.
        guard !Self.beyond.contains(where: words.contains), !text.contains("1e999") else { return }
        #expect(try !Self.holds(text), "\(text)")
    }

    @Test(
        "what the reader takes, the schema takes",
        arguments: [
            #""a""#, #"{"source": "a", "start": 1.5, "duration": "1001/30000"}"#,
            #"{"source": "a", "start": "0:01:00", "end": "0:01:02.500", "speed": "3/2"}"#,
            #"{"source": "https://example.com/a.mp4?k", "speed": 0.25}"#,
            #"{"source": "a", "start": 3600, "end": "3601", "timecode": "30000/1001"}"#,
            #""b", {"empty": "2.5"}, {"source": "c", "speed": 2, "pitch": "follow"}"#,
            #""b"]}, {"media": "audio", "volume": "-12 dB", "segments": ["c"#
                + #""]}, {"media": "audio", "volume": 0.25, "volumeRamps": [{"start": 0, "#
                + #""duration": "1.5", "from": "0", "to": "+6dB"}], "segments": ["d""#,
            #""b"]}, {"media": "audio", "duck": {"under": 1, "to": "-12 dB", "attack": 0.1, "#
                + #""release": "0:01", "threshold": 0.01}, "segments": ["c""#,
            #"{"source": "a", "atMost": "6"}]}, {"media": "audio", "loop": {"fadeOut": 1.5}, "#
                + #""segments": ["m""#,
            #""a", {"transition": "wipeUp", "duration": "0:01"}, {"source": "b", "layout": {}}"#,
            #"{"source": "a", "layout": {"fit": "blur", "opacity": 0, "rotation": 45, "#
                + #""areaRamps": [{"start": 0, "duration": 1, "from": "#
                + #"{"x": 0, "y": 0, "width": 1, "height": 1}, "to": "#
                + #"{"x": 0, "y": 0, "width": 1, "height": 1}}], "#
                + #""crop": {"x": 0, "y": 0, "width": 1, "height": 0.5}}}"#,
        ])
    func taken(segments: String) throws {
        let text = #"{"$schema": "x", "version": 1, "tracks": [{"segments": [\#(segments)]}]}"#
        _ = try TimelineFile.read(Array(text.utf8), name: "/t.takeup.json") { [] }
        #expect(try Self.holds(text))
    }

    static func holds(_ text: String) throws -> Bool {
        let schema = try #require(schema)
        let value = try JSONSerialization.jsonObject(
            with: Data(text.utf8), options: .fragmentsAllowed)
        return try SchemaCheck(root: schema).holds(value, schema)
    }
}

/// The keywords that the schema uses; another one is an error.
struct SchemaCheck {
    struct Unknown: Error { let keyword: String }

    let root: [String: Any]

    func holds(_ value: Any, _ schema: [String: Any]) throws -> Bool {
        try schema.allSatisfy { try holds(value, $0.key, $0.value, schema) }
    }

    private func holds(
        _ value: Any, _ keyword: String, _ rule: Any, _ schema: [String: Any]
    ) throws -> Bool {
        let (object, list, text) = (value as? [String: Any], value as? [Any], value as? String)
        let number = text == nil && object == nil && list == nil ? value as? Double : nil
        switch keyword {
        case "$schema", "title", "description", "default", "$defs": return true
        case "$ref":
            let name = (rule as? String ?? "").dropFirst("#/$defs/".count)
            let found = (root["$defs"] as? [String: Any])?[String(name)] as? [String: Any]
            return try holds(value, #require(found))
        case "type":
            switch rule as? String {
            case "object": return object != nil
            case "array": return list != nil
            case "string": return text != nil
            case "number": return number != nil
            case "integer": return number.map { $0 == $0.rounded() } ?? false
            default: throw Unknown(keyword: "type \(rule)")
            }
        case "const": return equal(value, rule)
        case "enum": return (rule as? [Any] ?? []).contains { equal(value, $0) }
        case "required":
            let names = rule as? [String] ?? []
            return object.map { object in names.allSatisfy { object[$0] != nil } } ?? true
        case "dependentRequired":
            let names = rule as? [String: [String]] ?? [:]
            return object.map { object in
                names.allSatisfy { rule in
                    object[rule.key] == nil || rule.value.allSatisfy { object[$0] != nil }
                }
            } ?? true
        case "properties":
            let rules = rule as? [String: [String: Any]] ?? [:]
            return try (object ?? [:]).allSatisfy { member in
                try rules[member.key].map { try holds(member.value, $0) } ?? true
            }
        case "additionalProperties":
            let known = schema["properties"] as? [String: Any] ?? [:]
            return (object ?? [:]).keys.allSatisfy { known[$0] != nil }
        case "prefixItems":
            let rules = rule as? [[String: Any]] ?? []
            return try zip(list ?? [], rules).allSatisfy { try holds($0, $1) }
        case "items":
            let rule = rule as? [String: Any] ?? [:]
            let first = (schema["prefixItems"] as? [Any] ?? []).count
            return try (list ?? []).dropFirst(first).allSatisfy { try holds($0, rule) }
        case "minItems": return list.map { $0.count >= rule as? Int ?? 0 } ?? true
        case "maxItems": return list.map { $0.count <= rule as? Int ?? 0 } ?? true
        case "minLength": return text.map { $0.count >= rule as? Int ?? 0 } ?? true
        case "minimum": return number.map { $0 >= rule as? Double ?? 0 } ?? true
        case "maximum": return number.map { $0 <= rule as? Double ?? 0 } ?? true
        case "pattern":
            let pattern = try NSRegularExpression(pattern: rule as? String ?? "")
            return text.map {
                pattern.firstMatch(in: $0, range: NSRange($0.startIndex..., in: $0)) != nil
            } ?? true
        case "not": return try !holds(value, rule as? [String: Any] ?? [:])
        case "anyOf":
            return try (rule as? [[String: Any]] ?? []).contains { try holds(value, $0) }
        case "allOf":
            return try (rule as? [[String: Any]] ?? []).allSatisfy { try holds(value, $0) }
        default: throw Unknown(keyword: keyword)
        }
    }

    private func equal(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? String { return left == right as? String }
        guard !(right is String), let left = left as? Double else { return false }
        return left == right as? Double
    }
}
