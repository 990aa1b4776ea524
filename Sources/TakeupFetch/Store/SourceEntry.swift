/// What is known about a source besides its bytes.
public struct SourceEntry: Codable, Equatable, Sendable {
    /// For people: without credentials and query.
    public var address: String
    /// Seconds since 1970, like every time here.
    public var createdAt: Double
    public var lastUsedAt: Double
    public var expiresAt: Double?
    public var isPinned = false
    /// Goes as soon as nobody holds it.
    public var isDoomed = false
    /// When the origin said last that the version here is its own.
    public var checkedAt: Double?
    /// As the origin calls it.
    public var contentType: String?
    /// What the origin has stated of the bytes; nil in entries of older releases.
    public var stated: Stated?

    /// Digests of one generation's bytes, which no other one has.
    public struct Stated: Codable, Equatable, Sendable {
        public var generation: Int64
        public var digests = StatedDigests()
    }

    public init(address: String, createdAt: Double, expiresAt: Double? = nil) {
        (self.address, self.createdAt, self.lastUsedAt) = (address, createdAt, createdAt)
        self.expiresAt = expiresAt
    }
}
