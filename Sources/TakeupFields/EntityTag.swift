/// A validator that an origin assigns to one version of an object.
///
/// - Note: Source: RFC 9110, 8.8.3.
public struct EntityTag: Hashable, Codable, Sendable {
    /// The tag as sent: with its quotes, and with `W/` in front if it is weak.
    public let text: String

    /// Parses the value of an `ETag` field.
    ///
    /// - Returns: nil if the value is not a tag, for example without quotes.
    public init?(_ text: String) {
        let text = FieldText.trimmed(text)
        let opaque = text.utf8.dropFirst(text.hasPrefix("W/") ? 2 : 0)
        guard opaque.count >= 2, opaque.first == 0x22, opaque.last == 0x22 else { return nil }
        let inner = opaque.dropFirst().dropLast()
        guard inner.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
        self.text = text
    }

    /// Whether the tag is weak.
    ///
    /// A weak tag may name several versions and must never join parts.
    public var isWeak: Bool { text.hasPrefix("W/") }

    /// Returns whether both tags are strong and equal.
    public func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && self == other
    }

    /// Returns whether both tags name the same content, weak or not.
    public func matchesWeakly(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }

    private var opaque: Substring { isWeak ? text.dropFirst(2) : text[...] }
}
