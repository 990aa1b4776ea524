/// One JSON object of a preset, read key by key with the range of each.
///
/// Every refusal is a `DecodingError.dataCorrupted` at the key's path, worded for the file's author.
struct PresetFields<Key: CodingKey & CaseIterable> {
    private let container: KeyedDecodingContainer<PresetKey>

    /// Opens the object, a part of `what`, and refuses keys that it cannot have.
    init(_ decoder: any Decoder, of what: String = "a preset") throws {
        do {
            container = try decoder.container(keyedBy: PresetKey.self)
        } catch {
            throw Self.refusal(at: decoder.codingPath, "needs an object in { }")
        }
        let unknown = container.allKeys.filter { Key(stringValue: $0.stringValue) == nil }
        guard let first = unknown.min(by: { $0.stringValue < $1.stringValue }) else { return }
        let known = Key.allCases.map(\.stringValue)
        let nearest = NearestNames(of: first.stringValue, among: known).names.first
        let advice =
            nearest.map { "did you mean '\($0)'?" }
            ?? "it may be one of: \(known.joined(separator: ", "))"
        throw Self.refusal(at: decoder.codingPath + [first], "is not a key of \(what); \(advice)")
    }

    /// Refuses every key but these, null or not.
    func allowOnly(_ keys: [Key], because reason: String) throws {
        let allowed = keys.map(\.stringValue)
        let others = Key.allCases.filter { !allowed.contains($0.stringValue) }
        guard let extra = others.first(where: { has($0) }) else { return }
        throw refusal(extra, "has no meaning here: \(reason); leave the key out")
    }

    func integer(_ key: Key, in range: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard has(key) else { return fallback }
        guard let value = try? container.decode(Int.self, forKey: PresetKey(key)),
            range.contains(value)
        else {
            throw wrong(key, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    func optionalInteger(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
        if isAbsent(key) { return nil }
        guard let value = try? container.decode(Int.self, forKey: PresetKey(key)),
            range.contains(value)
        else {
            throw wrong(
                key, "a whole number from \(range.lowerBound) to \(range.upperBound), or null")
        }
        return value
    }

    func bytes(_ key: Key, in range: ClosedRange<Int64>) throws -> Int64? {
        if isAbsent(key) { return nil }
        guard let value = try? container.decode(Int64.self, forKey: PresetKey(key)),
            range.contains(value)
        else {
            throw wrong(key, "\(range.lowerBound) to \(range.upperBound) bytes, or null")
        }
        return value
    }

    func number(
        _ key: Key, in range: ClosedRange<Double>, default fallback: Double
    ) throws -> Double {
        guard has(key) else { return fallback }
        guard let value = try? container.decode(Double.self, forKey: PresetKey(key)),
            range.contains(value)
        else {
            throw wrong(key, "a number from \(text(range.lowerBound)) to \(text(range.upperBound))")
        }
        return value
    }

    func optionalNumber(_ key: Key, in range: ClosedRange<Double>) throws -> Double? {
        if isAbsent(key) { return nil }
        guard let value = try? container.decode(Double.self, forKey: PresetKey(key)),
            range.contains(value)
        else {
            let limits = "\(text(range.lowerBound)) to \(text(range.upperBound))"
            throw wrong(key, "a number from \(limits), or null")
        }
        return value
    }

    func flag(_ key: Key, default fallback: Bool) throws -> Bool {
        guard has(key) else { return fallback }
        guard let value = try? container.decode(Bool.self, forKey: PresetKey(key)) else {
            throw wrong(key, "true or false")
        }
        return value
    }

    /// Reads one of an enumeration's names; without a default the key is required.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: Key, default fallback: Choice?
    ) throws -> Choice {
        if !has(key), let fallback { return fallback }
        let name = try? container.decode(String.self, forKey: PresetKey(key))
        guard let value = name.flatMap(Choice.init(rawValue:)) else {
            let names = Choice.allCases.map { "'\($0.rawValue)'" }
            throw wrong(key, "one of \(names.joined(separator: ", "))")
        }
        return value
    }

    /// Reads one of the words, or nil when the key is absent or null.
    func word(_ key: Key, among words: [String]) throws -> String? {
        if isAbsent(key) { return nil }
        let word = try? container.decode(String.self, forKey: PresetKey(key))
        guard let word, words.contains(word) else {
            let names = words.map { "'\($0)', " }.joined()
            throw wrong(key, words.isEmpty ? "null" : "one of \(names)or null")
        }
        return word
    }

    /// Reads text of up to `limit` characters; without a default the key is required.
    func string(_ key: Key, upTo limit: Int, default fallback: String? = nil) throws -> String {
        if !has(key), let fallback { return fallback }
        guard let value = try? container.decode(String.self, forKey: PresetKey(key)),
            value.utf8.count <= limit
        else { throw wrong(key, "text of at most \(limit) bytes") }
        return value
    }

    func frameRate(_ key: Key) throws -> FrameRateValue? {
        if isAbsent(key) { return nil }
        guard let value = try? container.decode(FrameRateValue.self, forKey: PresetKey(key)) else {
            throw wrong(key, #"a rate from 1 to 240 such as "30" or "30000/1001", or null"#)
        }
        return value
    }

    /// Reads a list of changes, such as `["video.crf=20"]`.
    func changes(_ key: Key) throws -> [PresetChange] {
        guard has(key) else { return [] }
        let texts = try? container.decode([String].self, forKey: PresetKey(key))
        let changes = texts?.compactMap(PresetChange.init(parsing:))
        guard let changes, changes.count == texts?.count, changes.count <= PresetChange.most else {
            throw refusal(key, "needs a list of at most \(PresetChange.most) texts KEY=VALUE")
        }
        return changes
    }

    /// Reads nested settings; the key is required, null means none.
    func settings<Settings: Decodable>(_ key: Key) throws -> Settings? {
        guard has(key) else {
            throw refusal(key, "is missing: it needs settings in { }, or null for no such track")
        }
        return try container.decodeIfPresent(Settings.self, forKey: PresetKey(key))
    }

    /// Whether the object holds a key.
    func has(_ key: Key) -> Bool { container.contains(PresetKey(key)) }

    /// The error that names this key.
    func refusal(_ key: Key, _ reason: String) -> DecodingError {
        Self.refusal(at: container.codingPath + [key], reason)
    }

    private static func refusal(at path: [any CodingKey], _ reason: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: reason))
    }

    private func isAbsent(_ key: Key) -> Bool {
        !has(key) || (try? container.decodeNil(forKey: PresetKey(key))) == true
    }

    private func wrong(_ key: Key, _ need: String) -> DecodingError {
        refusal(key, has(key) ? "needs \(need), but \(found(key))" : "needs \(need)")
    }

    private func found(_ key: Key) -> String {
        if isAbsent(key) { return "holds null" }
        if let value = try? container.decode(String.self, forKey: PresetKey(key)) {
            return "holds \(QuotedText(value))"
        }
        if let value = try? container.decode(Bool.self, forKey: PresetKey(key)) {
            return "holds \(value)"
        }
        if let value = try? container.decode(Double.self, forKey: PresetKey(key)) {
            return "holds \(text(value))"
        }
        return "holds something else"
    }

    private func text(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}
