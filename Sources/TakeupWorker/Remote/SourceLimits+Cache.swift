public import TakeupCache
public import TakeupFetch

extension SourceLimits {
    /// The limits of the cache, which hold for its sources by themselves.
    public init(_ limits: CacheLimits) {
        self.init(
            maxEntries: limits.maxEntries, maxBytes: limits.maxBytes,
            minFreeBytes: limits.minFreeBytes, expiresSeconds: limits.expiresSeconds,
            unusedSeconds: limits.unusedSeconds)
    }
}
