import Foundation
import TakeupIntake

/// What is wrong with a text that is to be settings in JSON, in words of ours.
struct SettingsFault: Equatable, Sendable {
    let reason: String
    let hint: String

    private static let example = #"write one JSON object, such as {"preset": "medium"}"#
    /// What to write, by key.
    private static let examples = [
        "watch": #"write an object, such as {"folders": [{"path": "in", "output": "out"}]}"#,
        "folders": #"write a list, such as [{"path": "in", "output": "out"}]"#,
        "rules": #"write a list, such as [{"glob": "*.sample.*", "skip": "a sample"}]"#,
        "hooks": #"write a list, such as [{"command": ["/usr/local/bin/tell"]}]"#,
        "command": #"write a list of words, such as ["/usr/local/bin/tell", "--quiet"]"#,
        "events": #"write a list, such as ["done", "failed"]"#,
        "timeout": #"write a text, such as "30s""#,
        "path": "write a text in quotes", "skip": "write a text in quotes",
        "name": "write a text in quotes", "url": "write a text in quotes",
        "secretFile": "write a text in quotes",
    ]
    /// What Foundation calls what it has found, and our words for it.
    private static let kinds = [
        "found a string": "a text", "found number": "a number", "found bool": "true or false",
        "found an array": "a list", "found a dictionary": "an object", "found null": "null",
    ]

    /// - Parameters:
    ///   - error: What a decoder says of it.
    ///   - bytes: The text.
    init(_ error: DecodingError, in bytes: Data) {
        switch error {
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            reason = Self.mismatch(type, context)
            hint = Self.hint(context.codingPath)
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            let fault = JSONText.fault(in: Array(bytes))
            reason = fault?.message ?? context.debugDescription
            hint = fault?.hint ?? Self.example
        case .dataCorrupted(let context), .keyNotFound(_, let context):
            reason = "'\(Self.place(context.codingPath))': \(context.debugDescription)"
            hint = "'man takeup-config' has what it may say"
        @unknown default:
            (reason, hint) = ("it cannot be decoded", Self.example)
        }
    }

    private static func mismatch(_ type: Any.Type, _ context: DecodingError.Context) -> String {
        let name = "\(type)"
        let wanted =
            if name.hasPrefix("Array") {
                "a list"
            } else if name.hasPrefix("Dictionary") {
                "an object"
            } else {
                type == String.self ? "a text" : type == Bool.self ? "true or false" : "a number"
            }
        let place = place(context.codingPath)
        let subject = place.isEmpty ? "it" : "'\(place)'"
        let found = kinds.first { context.debugDescription.contains($0.key) }?.value
        return "\(subject) \(found.map { "is \($0), and " } ?? "")has to be \(wanted)"
    }

    /// Such as `watch.hooks[0].command`.
    private static func place(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }

    private static func hint(_ path: [any CodingKey]) -> String {
        let key = path.last { $0.intValue == nil }?.stringValue
        return key.map { examples[$0] ?? "'man takeup-config' has what it may say" } ?? example
    }
}
