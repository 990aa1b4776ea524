extension SourceLimits {
    /// How much of the free space bytes that nobody waits for may take; the rest is left to what is exported meanwhile.
    static let prefetchShare = 0.5

    /// How many bytes of a source may come ahead of time so that nothing has to go for them.
    ///
    /// - Parameters:
    ///   - key: The source; one that is not here yet is one entry more.
    ///   - sources: Those that are here.
    ///   - freeBytes: On the file system.
    /// - Returns: At least 0.
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
