/// One thing that happened to an entry, as the access log has it.
public struct CacheEvent: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Codable {
        case hit, miss, publish, evict
    }

    /// Seconds since 1970.
    public var time: Double
    public var event: Kind
    /// The name that was asked for or recorded, or the entry's.
    public var id: String
    /// nil for a miss.
    public var key: String?
    public var bytes: Int64?
}
