package import TakeupTimeline

/// A JSON value whose keys keep their order.
package enum JSONValue: Sendable, Equatable {
    package struct Member: Sendable, Equatable {
        package let key: String
        package let value: JSONValue

        package init(key: String, value: JSONValue) { (self.key, self.value) = (key, value) }
    }

    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([Member])

    package static func text(optional text: String?) -> JSONValue {
        text.map(JSONValue.text) ?? .null
    }

    package static func whole(_ number: Int?) -> JSONValue {
        number.map { .integer(Int64($0)) } ?? .null
    }

    /// Seconds, to the microsecond.
    package static func time(_ time: MediaTime?) -> JSONValue {
        time.map { .number(Double($0.ticks(of: 1, over: 1_000_000)) / 1_000_000) } ?? .null
    }

    /// A measured number, to three decimals.
    package static func measured(_ number: Double?) -> JSONValue {
        guard let number, number.isFinite, abs(number) < 1e12 else { return .null }
        return .number((number * 1000).rounded() / 1000)
    }

    package static func words(_ words: [String: String]) -> JSONValue {
        .object(
            words.sorted { $0.key < $1.key }.map { Member(key: $0.key, value: .text($0.value)) })
    }

    /// The same object with `key` in front.
    package func prefixed(_ key: String, _ value: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object([Member(key: key, value: value)] + members)
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }

    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
}
