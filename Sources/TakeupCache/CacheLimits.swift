/// What the cache may grow to; nil is no limit.
public struct CacheLimits: Sendable, Equatable {
    /// Free space that is left to others unless something else is asked for, in bytes.
    public static let standardMinFreeBytes: Int64 = 1_000_000_000

    public var maxEntries: Int?
    public var maxBytes: Int64?
    /// Free space on the cache's file system that is left to others.
    public var minFreeBytes: Int64
    /// Age at which an entry expires.
    public var expiresSeconds: Double?
    /// Time without a hit after which an entry goes.
    public var unusedSeconds: Double?

    public init(
        maxEntries: Int? = nil, maxBytes: Int64? = nil,
        minFreeBytes: Int64 = standardMinFreeBytes, expiresSeconds: Double? = nil,
        unusedSeconds: Double? = nil
    ) {
        (self.maxEntries, self.maxBytes) = (maxEntries, maxBytes)
        self.minFreeBytes = minFreeBytes
        (self.expiresSeconds, self.unusedSeconds) = (expiresSeconds, unusedSeconds)
    }
}
