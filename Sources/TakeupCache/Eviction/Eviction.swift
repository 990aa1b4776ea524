/// An entry that went, would go, or could not.
public struct Eviction: Sendable, Equatable {
    public enum Outcome: String, Sendable, Codable {
        case removed
        /// Looked at only.
        case planned
        /// Somebody reads it; it goes another time.
        case inUse
        /// Read, pinned or removed by somebody else meanwhile.
        case kept
    }

    public let key: String
    public let id: String
    public let bytes: Int64
    public let reason: EvictionPolicy.Reason
    public let outcome: Outcome
}
