extension SourceStore {
    /// Returns how many bytes of a source may be prefetched; lists the other sources only if a
    /// limit counts them.
    ///
    /// - Throws: `FetchError.storage`.
    func prefetchRoom(
        for key: SourceKey, _ limits: SourceLimits
    ) throws(FetchError) -> Int64 {
        let isCounted = limits.maxEntries != nil || limits.maxBytes != nil
        let sources = isCounted ? try list() : []
        return limits.prefetchRoom(for: key, among: sources, freeBytes: try freeBytes())
    }
}
