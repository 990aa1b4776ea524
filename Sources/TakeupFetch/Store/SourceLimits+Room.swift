extension SourceLimits {
    /// Share of the free space that prefetched bytes may take; running exports need the rest.
    static let prefetchShare = 0.5

    /// Returns how many bytes of a source may be prefetched without an eviction.
    ///
    /// - Parameters:
    ///   - key: The source; a source that is not stored yet counts as one more entry.
    ///   - sources: The stored sources.
    ///   - freeBytes: Free space on the file system.
    /// - Returns: Number of bytes, at least 0.
    func prefetchRoom(
        for key: SourceKey, among sources: [SourceSummary], freeBytes: Int64
    ) -> Int64 {
        if let most = maxEntries, sources.count >= most, !sources.contains(where: { $0.key == key })
        {
            return 0
        }
        var room = Int64(Double(max(0, freeBytes - minFreeBytes)) * Self.prefetchShare)
        if let most = maxBytes { room = min(room, most - sources.reduce(0) { $0 + $1.diskBytes }) }
        return max(0, room)
    }
}
