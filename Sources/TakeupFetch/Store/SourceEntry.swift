/// The stored metadata of a source.
public struct SourceEntry: Codable, Equatable, Sendable {
    /// The address for display, without credentials and query.
    public var address: String
    /// Time of creation, in seconds since 1970, like every time in this type.
    public var createdAt: Double
    public var lastUsedAt: Double
    public var isPinned = false
    /// The entry must be removed as soon as nobody holds it.
    public var isDoomed = false
    /// When the origin last confirmed the stored version.
    public var checkedAt: Double?
    /// How old the origin's answer was then, as it said itself; seconds.
    public var originAge: Double?
    /// The origin's content type.
    public var contentType: String?
    /// The digests that the origin has stated; nil in entries of older releases.
    public var stated: Stated?

    /// The stated digests of one generation; they are not valid for any other generation.
    public struct Stated: Codable, Equatable, Sendable {
        public var generation: Int64
        public var digests = StatedDigests()
    }

    public init(address: String, createdAt: Double) {
        (self.address, self.createdAt, self.lastUsedAt) = (address, createdAt, createdAt)
    }
}
