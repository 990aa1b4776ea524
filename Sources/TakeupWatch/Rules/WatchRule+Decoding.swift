extension WatchRule: Decodable {
    private enum Key: String, CodingKey, CaseIterable {
        case glob, minBytes, maxBytes, minSeconds, maxSeconds, minWidth, maxWidth, minHeight
        case maxHeight, videoCodec, audioCodec, language, hasVideo, preset, priority, output, skip
    }

    /// Any key there is, to find those that mean nothing here.
    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static let priorities = 0...9
    static let mostTextBytes = 1024

    /// Reads a rule from a configuration.
    ///
    /// - Throws: `WatchError.unreadable` for an unknown key and a value out of range; `DecodingError` for
    ///   one of another type.
    public init(from decoder: any Decoder) throws {
        self.init()
        try Self.checkKeys(decoder)
        let fields = try decoder.container(keyedBy: Key.self)
        globs = try Self.globs(fields)
        minBytes = try Self.number(fields, .minBytes)
        maxBytes = try Self.number(fields, .maxBytes)
        minSeconds = try Self.number(fields, .minSeconds)
        maxSeconds = try Self.number(fields, .maxSeconds)
        minWidth = try Self.number(fields, .minWidth)
        maxWidth = try Self.number(fields, .maxWidth)
        minHeight = try Self.number(fields, .minHeight)
        maxHeight = try Self.number(fields, .maxHeight)
        videoCodec = try Self.text(fields, .videoCodec)
        audioCodec = try Self.text(fields, .audioCodec)
        language = try Self.text(fields, .language)
        hasVideo = try fields.decodeIfPresent(Bool.self, forKey: .hasVideo)
        result = try Self.result(fields)
        try checkRanges()
    }

    private static func checkKeys(_ decoder: any Decoder) throws {
        let known = Set(Key.allCases.map(\.rawValue))
        let all = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
        guard let unknown = all.filter({ !known.contains($0) }).min() else { return }
        let place = decoder.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }
        throw WatchError.unreadable(
            setting: (["rule"] + place).joined(separator: " "),
            reason: "there is no “\(unknown.prefix(40))”; there are "
                + Key.allCases.map(\.rawValue).joined(separator: ", "))
    }

    private static func globs(_ fields: KeyedDecodingContainer<Key>) throws -> [GlobPattern] {
        guard fields.contains(.glob) else { return [] }
        let texts: [String]
        if let one = try? fields.decode(String.self, forKey: .glob) {
            texts = [one]
        } else {
            texts = try fields.decode([String].self, forKey: .glob)
        }
        guard !texts.isEmpty, texts.count <= mostGlobs else {
            throw error(.glob, "has 1 to \(mostGlobs) patterns")
        }
        return try texts.map { text throws(WatchError) in try GlobPattern(text) }
    }

    private static func number<Number: Decodable & Comparable & Numeric>(
        _ fields: KeyedDecodingContainer<Key>, _ key: Key
    ) throws -> Number? {
        guard let number = try fields.decodeIfPresent(Number.self, forKey: key) else { return nil }
        guard number >= 0 else { throw error(key, "is at least 0") }
        return number
    }

    private static func text(_ fields: KeyedDecodingContainer<Key>, _ key: Key) throws -> String? {
        guard let text = try fields.decodeIfPresent(String.self, forKey: key) else { return nil }
        guard !text.isEmpty, text.utf8.count <= mostTextBytes else {
            throw error(key, "has 1 to \(mostTextBytes) bytes")
        }
        return text
    }

    private static func result(_ fields: KeyedDecodingContainer<Key>) throws -> Result {
        let priority = try fields.decodeIfPresent(Int.self, forKey: .priority)
        if let priority, !priorities.contains(priority) {
            throw error(.priority, "is a number from 0 to 9")
        }
        let output = try text(fields, .output)
        let result = Result(
            preset: try text(fields, .preset), priority: priority,
            output: try output.map { text throws(WatchError) in try OutputTemplate(text) },
            skip: try text(fields, .skip))
        let isWork = result.preset != nil || result.priority != nil || result.output != nil
        guard result.skip == nil || !isWork else {
            throw error(.skip, "leaves nothing for a preset, a priority or an output to do")
        }
        return result
    }

    private func checkRanges() throws(WatchError) {
        try Self.check(.maxBytes, minBytes, maxBytes)
        try Self.check(.maxSeconds, minSeconds, maxSeconds)
        try Self.check(.maxWidth, minWidth, maxWidth)
        try Self.check(.maxHeight, minHeight, maxHeight)
    }

    private static func check<Number: Comparable>(
        _ key: Key, _ least: Number?, _ most: Number?
    ) throws(WatchError) {
        guard let least, let most, least > most else { return }
        throw error(key, "is below what is asked for at least, so that no file fits")
    }

    private static func error(_ key: Key, _ reason: String) -> WatchError {
        .unreadable(setting: "rule", reason: "“\(key.rawValue)” \(reason)")
    }
}
