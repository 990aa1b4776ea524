internal import TakeupModel

/// Schemas of JSON values.
///
/// - Note: Source: JSON Schema 2020-12, as OpenAPI 3.1 has it.
enum APISchema {
    static let text: JSONValue = ["type": "string"]
    static let flag: JSONValue = ["type": "boolean"]
    static let whole: JSONValue = ["type": "integer"]
    static let count: JSONValue = ["type": "integer", "minimum": .integer(0)]
    static let number: JSONValue = ["type": "number"]
    static let time: JSONValue = ["type": "string", "format": "date-time"]
    static let anything: JSONValue = ["type": "object"]

    static func words(_ words: [String]) -> JSONValue {
        ["type": "string", "enum": .list(words.map(JSONValue.text))]
    }

    static func constant(_ word: String) -> JSONValue { ["const": .text(word)] }

    static func list(_ element: JSONValue) -> JSONValue {
        ["type": "array", "items": element]
    }

    static func range(_ range: ClosedRange<Int>) -> JSONValue {
        [
            "type": "integer", "minimum": .whole(range.lowerBound),
            "maximum": .whole(range.upperBound),
        ]
    }

    /// The value, or null.
    static func optional(_ schema: JSONValue) -> JSONValue {
        ["anyOf": .list([schema, ["type": "null"]])]
    }

    static func either(_ schemas: JSONValue...) -> JSONValue { ["anyOf": .list(schemas)] }

    static func reference(_ name: String) -> JSONValue {
        ["$ref": .text("#/components/schemas/\(name)")]
    }

    /// An object of a response, with these members and perhaps more in later versions.
    static func object(
        _ members: [(String, JSONValue)], optional names: Set<String> = []
    ) -> JSONValue {
        let required = members.map(\.0).filter { !names.contains($0) }
        return [
            "type": "object",
            "properties": .object(members.map { .init(key: $0.0, value: $0.1) }),
            "required": .list(required.map(JSONValue.text)),
        ]
    }

    /// An object of a request, which may have no other member.
    static func request(
        _ members: [(String, JSONValue)], required: [String] = []
    ) -> JSONValue {
        [
            "type": "object",
            "properties": .object(members.map { .init(key: $0.0, value: $0.1) }),
            "required": .list(required.map(JSONValue.text)), "additionalProperties": false,
        ]
    }

    static func map(_ element: JSONValue) -> JSONValue {
        ["type": "object", "additionalProperties": element]
    }
}
