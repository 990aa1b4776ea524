/// A validator that an origin makes up for one version of an object.
///
/// - Note: Source: RFC 9110, 8.8.3.
public struct EntityTag: Hashable, Codable, Sendable {
    /// As sent: with its quotes, and `W/` in front when it is weak.
    public let text: String

    /// Reads an `ETag` field's value.
    ///
    /// - Returns: nil for what is no tag, such as one without quotes.
    public init?(_ text: String) {
        let text = FieldText.trimmed(text)
        let opaque = text.utf8.dropFirst(text.hasPrefix("W/") ? 2 : 0)
        guard opaque.count >= 2, opaque.first == 0x22, opaque.last == 0x22 else { return nil }
        let inner = opaque.dropFirst().dropLast()
        guard inner.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
        self.text = text
    }

    /// A weak tag may stand for several versions and never joins parts.
    public var isWeak: Bool { text.hasPrefix("W/") }

    /// Whether both are strong and the same.
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && self == other
    }
}
