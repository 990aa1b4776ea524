/// An entry whose file is not what was recorded.
public struct Damage: Sendable, Equatable {
    public enum Kind: String, Sendable, Codable {
        case missing
        /// The object has another size, or is no regular file.
        case wrongSize
        /// The object has the right size, but other content.
        case wrongContent
    }

    public let key: String
    public let id: String
    public let path: String
    public let kind: Kind
    /// Whether row and file were removed; otherwise they are as they were.
    public let isRepaired: Bool
}
