/// One track as MediaInfo reports it: its facts by MediaInfo's own names, all as text.
public struct MediaInfoTrack: Decodable, Sendable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// `General`, `Video`, `Audio`, `Text`, `Menu`.
    public let type: String
    private let facts: [String: String]

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        var facts: [String: String] = [:]
        for key in fields.allKeys {
            if let text = try? fields.decode(String.self, forKey: key) {
                facts[key.stringValue] = text
            } else if key.stringValue == "extra" {
                let extra = try fields.decode([String: ProbedScalar].self, forKey: key)
                facts.merge(extra.mapValues(\.text)) { own, _ in own }
            }
        }
        type = facts["@type"] ?? ""
        self.facts = facts
    }

    /// A fact such as `Rotation` or `ChannelLayout`, nil when MediaInfo does not state it.
    public subscript(_ name: String) -> String? {
        facts[name]
    }
}
