extension WatchRule {
    /// The first condition that does not hold for a file, in words; nil when all hold.
    public func obstacle(for facts: FileFacts) -> String? {
        if !globs.isEmpty, !globs.contains(where: { $0.matches(facts.path) }) {
            let patterns = globs.map { "“\($0.text)”" }.joined(separator: ", ")
            return "the name matches none of \(patterns)"
        }
        return Self.range("size", "bytes", facts.bytes, minBytes, maxBytes)
            ?? Self.range("duration", "seconds", facts.seconds, minSeconds, maxSeconds)
            ?? Self.range("width", "pixels", facts.width, minWidth, maxWidth)
            ?? Self.range("height", "pixels", facts.height, minHeight, maxHeight)
            ?? Self.name("video codec", facts.videoCodec.map { [$0] }, videoCodec)
            ?? Self.name("audio codec", facts.audioCodec.map { [$0] }, audioCodec)
            ?? Self.name("language", facts.languages, language) {
                LanguageName($0).isMeant(by: LanguageName($1))
            }
            ?? pictures(facts.hasVideo)
    }

    private static func range<Number: Comparable>(
        _ what: String, _ unit: String, _ value: Number?, _ least: Number?, _ most: Number?
    ) -> String? {
        guard least != nil || most != nil else { return nil }
        guard let value else { return "the \(what) is not known" }
        if let least, !(value >= least) {
            return "the \(what) is \(value) \(unit), and at least \(least) are asked for"
        }
        if let most, !(value <= most) {
            return "the \(what) is \(value) \(unit), and at most \(most) are asked for"
        }
        return nil
    }

    private static func name(
        _ what: String, _ values: [String]?, _ wanted: String?,
        isSame: (String, String) -> Bool = { $0.lowercased() == $1.lowercased() }
    ) -> String? {
        guard let wanted else { return nil }
        guard let values else { return "the \(what) is not known" }
        if values.contains(where: { isSame($0, wanted) }) { return nil }
        let found = values.isEmpty ? "missing" : values.joined(separator: ", ")
        return "the \(what) is \(found), and \(wanted) is asked for"
    }

    private func pictures(_ value: Bool?) -> String? {
        guard let hasVideo else { return nil }
        guard let value else { return "whether it has video is not known" }
        guard value != hasVideo else { return nil }
        return value ? "it has video" : "it has no video"
    }
}
