extension WatchRule: Decodable {
    public static let priorities = -1000...1000
    private static let mostPresetChanges = 64

    /// Reads a rule from a configuration.
    ///
    /// - Throws: `WatchError.unreadable` with the rule's number and the key, for whatever is wrong.
    public init(from decoder: any Decoder) throws {
        try self.init(RuleFields(decoder))
    }

    private init(_ fields: RuleFields) throws(WatchError) {
        self.init()
        globs = try Self.globs(fields)
        minBytes = try fields.bytes(.minBytes)
        maxBytes = try fields.bytes(.maxBytes)
        minSeconds = try fields.number(.minSeconds, "a number of seconds")
        maxSeconds = try fields.number(.maxSeconds, "a number of seconds")
        minWidth = try fields.number(.minWidth, "a whole number of pixels")
        maxWidth = try fields.number(.maxWidth, "a whole number of pixels")
        minHeight = try fields.number(.minHeight, "a whole number of pixels")
        maxHeight = try fields.number(.maxHeight, "a whole number of pixels")
        videoCodec = try fields.text(.videoCodec)
        audioCodec = try fields.text(.audioCodec)
        language = try fields.text(.language)
        hasVideo = try fields.truth(.hasVideo)
        result = try Self.result(fields)
        try checkRanges(fields)
    }

    private static func globs(_ fields: RuleFields) throws(WatchError) -> [GlobPattern] {
        var globs: [GlobPattern] = []
        for text in try fields.texts(.glob, most: mostGlobs) {
            globs.append(
                try fields.making(.glob) { () throws(WatchError) in try GlobPattern(text) })
        }
        return globs
    }

    private static func result(_ fields: RuleFields) throws(WatchError) -> Result {
        var result = Result()
        result.preset = try fields.text(.preset)
        result.presetChanges = try fields.pairs(.set, most: mostPresetChanges)
        result.priority = try fields.whole(.priority, in: priorities)
        if let output = try fields.text(.output) {
            result.output = try fields.making(.output) { () throws(WatchError) in
                try OutputTemplate(output)
            }
        }
        result.keepIfSmaller = try fields.truth(.keepIfSmaller)
        result.skip = try fields.text(.skip)
        guard result.skip == nil || !result.isWork else {
            throw fields.error(.skip, "a file that is left alone has nothing else done with it")
        }
        return result
    }

    private func checkRanges(_ fields: RuleFields) throws(WatchError) {
        try Self.check(fields, .maxBytes, minBytes, maxBytes)
        try Self.check(fields, .maxSeconds, minSeconds, maxSeconds)
        try Self.check(fields, .maxWidth, minWidth, maxWidth)
        try Self.check(fields, .maxHeight, minHeight, maxHeight)
    }

    private static func check<Number: Comparable>(
        _ fields: RuleFields, _ key: RuleFields.Key, _ least: Number?, _ most: Number?
    ) throws(WatchError) {
        guard let least, let most, least > most else { return }
        throw fields.error(key, "it is below what is asked for at least, so that no file fits")
    }
}
