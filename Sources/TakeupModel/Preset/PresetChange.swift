/// A change of one field of a preset, for one export: `video.crf=20`.
public struct PresetChange: Sendable, Hashable, Codable {
    /// Changes of one preset.
    public static let most = 64
    /// Bytes of a value.
    public static let longestValue = 400

    /// A path in the preset's JSON, such as `video.crf`; one of `ExportPreset.fields`.
    public var key: String
    /// A number, `true`, `false`, `null` or a word, as in the preset's JSON.
    public var value: String

    public init(_ key: String, _ value: String) {
        (self.key, self.value) = (key, value)
    }

    /// Reads `KEY=VALUE`; nil for a text without a `=` or without a key.
    public init?(parsing text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        self.init(String(parts[0]), String(parts[1]))
    }
}

extension PresetChange: CustomStringConvertible {
    public var description: String { "\(key)=\(value)" }
}
