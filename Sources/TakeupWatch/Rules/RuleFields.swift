/// The fields of one rule in a configuration; whatever is wrong is said with the rule's number and the key.
struct RuleFields {
    enum Key: String, CodingKey, CaseIterable {
        case glob, minBytes, maxBytes, minSeconds, maxSeconds, minWidth, maxWidth, minHeight
        case maxHeight, videoCodec, audioCodec, language, hasVideo, preset, priority, output
        case keepIfSmaller, skip, set
    }

    /// Any key there is, to find those that mean nothing here.
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static let mostTextBytes = 1024

    private let fields: KeyedDecodingContainer<Key>
    private let words: RuleWords
    /// Such as `rule 2`.
    private let rule: String

    init(_ decoder: any Decoder) throws(WatchError) {
        let place = decoder.codingPath.last { $0.intValue != nil }?.intValue
        rule = place.map { "rule \($0 + 1)" } ?? "rule"
        let words = CodingUserInfoKey.ruleWords.flatMap { decoder.userInfo[$0] as? RuleWords }
        self.words = words ?? RuleWords()
        guard let fields = try? decoder.container(keyedBy: Key.self),
            let all = try? decoder.container(keyedBy: AnyKey.self).allKeys
        else { throw .unreadable(setting: rule, reason: "it is no object with keys") }
        self.fields = fields
        try checkKeys(all.map(\.stringValue))
    }

    private func checkKeys(_ keys: [String]) throws(WatchError) {
        let known = Key.allCases.map(\.rawValue)
        guard let unknown = keys.filter({ !known.contains($0) }).min() else { return }
        let hint =
            words.nearest(unknown, known).map { "did you mean “\($0)”?" }
            ?? "there are \(known.joined(separator: ", "))"
        throw .unreadable(
            setting: "\(rule), “\(unknown.prefix(40))”", reason: "there is no such key; \(hint)")
    }

    func error(_ key: Key, _ reason: String) -> WatchError {
        .unreadable(setting: "\(rule), “\(key.rawValue)”", reason: reason)
    }

    /// - Returns: nil when the key is not there; `null` is a value, and no good one.
    private func value<Value: Decodable>(
        _ key: Key, _ kind: String
    ) throws(WatchError) -> Value? {
        guard fields.contains(key) else { return nil }
        guard let value = try? fields.decode(Value.self, forKey: key) else {
            throw error(key, "it is not \(kind)")
        }
        return value
    }

    /// A number that is not below 0.
    func number<Number: Decodable & Comparable & Numeric>(
        _ key: Key, _ kind: String
    ) throws(WatchError) -> Number? {
        guard let number: Number = try value(key, kind) else { return nil }
        guard number >= 0 else { throw error(key, "it is below 0") }
        return number
    }

    func whole(_ key: Key, in range: ClosedRange<Int>) throws(WatchError) -> Int? {
        let kind = "a number from \(range.lowerBound) to \(range.upperBound)"
        let number: Int? = try value(key, kind)
        guard number.map(range.contains) ?? true else { throw error(key, "it is not \(kind)") }
        return number
    }

    func bytes(_ key: Key) throws(WatchError) -> Int64? {
        guard let text = try? fields.decodeIfPresent(String.self, forKey: key) else {
            return try number(key, "a whole number of bytes or a text such as “10MB”")
        }
        guard let bytes = words.bytes(text) else {
            throw error(key, "“\(text.prefix(40))” is no size; write 10000000 or “10MB”")
        }
        return bytes
    }

    func truth(_ key: Key) throws(WatchError) -> Bool? {
        try value(key, "true or false")
    }

    func text(_ key: Key) throws(WatchError) -> String? {
        guard let text: String = try value(key, "a text") else { return nil }
        guard !text.isEmpty, text.utf8.count <= Self.mostTextBytes else {
            throw error(key, "a text has 1 to \(Self.mostTextBytes) bytes")
        }
        return text
    }

    /// One text, or a list of them.
    func texts(_ key: Key, most: Int) throws(WatchError) -> [String] {
        guard fields.contains(key) else { return [] }
        if let one = try? fields.decode(String.self, forKey: key) { return [one] }
        let texts: [String]? = try value(key, "a text or a list of texts")
        guard let texts, !texts.isEmpty, texts.count <= most else {
            throw error(key, "a list has 1 to \(most) texts")
        }
        return texts
    }

    /// Pairs `KEY=VALUE`: an object of values, a text, or a list of texts.
    func pairs(_ key: Key, most: Int) throws(WatchError) -> [String] {
        guard let object = try? fields.decode([String: Scalar].self, forKey: key) else {
            return try texts(key, most: most)
        }
        guard !object.isEmpty, object.count <= most else {
            throw error(key, "an object has 1 to \(most) values")
        }
        return object.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }
    }

    /// A text, a number, a truth value or null, as a text.
    private struct Scalar: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                text = "null"
            } else if let flag = try? container.decode(Bool.self) {
                text = "\(flag)"
            } else if let whole = try? container.decode(Int64.self) {
                text = "\(whole)"
            } else if let number = try? container.decode(Double.self) {
                text = "\(number)"
            } else {
                text = try container.decode(String.self)
            }
        }
    }

    /// Makes something of a value; what is wrong with it is said of its key.
    func making<Value>(
        _ key: Key, _ make: () throws(WatchError) -> Value
    ) throws(WatchError) -> Value {
        do throws(WatchError) {
            return try make()
        } catch {
            guard case .unreadable(_, let reason) = error else { throw error }
            throw self.error(key, reason)
        }
    }
}
