/// Any key at all, so that a preset's unknown keys can be seen.
struct PresetKey: CodingKey {
    let stringValue: String

    init(stringValue: String) { self.stringValue = stringValue }

    init(_ key: some CodingKey) { stringValue = key.stringValue }

    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
}
