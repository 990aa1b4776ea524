import TakeupTimeline

/// A JSON value whose keys keep their order.
enum JSONValue: Sendable, Equatable {
    struct Member: Sendable, Equatable {
        let key: String
        let value: JSONValue
    }

    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([Member])

    static func text(optional text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

    static func whole(_ number: Int?) -> JSONValue {
        number.map { .integer(Int64($0)) } ?? .null
    }

    /// Seconds, to the microsecond.
    static func time(_ time: MediaTime?) -> JSONValue {
        time.map { .number(Double($0.ticks(of: 1, over: 1_000_000)) / 1_000_000) } ?? .null
    }

    /// A measured number, to three decimals.
    static func measured(_ number: Double?) -> JSONValue {
        guard let number, number.isFinite, abs(number) < 1e12 else { return .null }
        return .number((number * 1000).rounded() / 1000)
    }

    static func words(_ words: [String: String]) -> JSONValue {
        .object(
            words.sorted { $0.key < $1.key }.map { Member(key: $0.key, value: .text($0.value)) })
    }

    /// The same object with `key` in front.
    func prefixed(_ key: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object([Member(key: key, value: value)] + members)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }

    init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
}
