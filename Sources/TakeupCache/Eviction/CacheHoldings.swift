/// How much a cache holds.
public struct CacheHoldings: Sendable, Equatable {
    public var entries: Int
    /// A file that several entries name counts once.
    public var bytes: Int128

    public init(entries: Int, bytes: Int128) {
        (self.entries, self.bytes) = (entries, bytes)
    }
}
