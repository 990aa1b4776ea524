/// Limits of the stored sources; nil is no limit.
public struct SourceLimits: Sendable, Equatable {
    public enum Reason: String, Sendable, Codable {
        case expired, unused, overCount, overBytes, lowSpace
    }

    public var maxEntries: Int?
    public var maxBytes: Int64?
    /// Minimum of free space on the file system, in bytes.
    public var minFreeBytes: Int64
    public var expiresSeconds: Double?
    public var unusedSeconds: Double?

    public init(
        maxEntries: Int? = nil, maxBytes: Int64? = nil, minFreeBytes: Int64 = 0,
        expiresSeconds: Double? = nil, unusedSeconds: Double? = nil
    ) {
        (self.maxEntries, self.maxBytes) = (maxEntries, maxBytes)
        (self.minFreeBytes, self.expiresSeconds) = (minFreeBytes, expiresSeconds)
        self.unusedSeconds = unusedSeconds
    }

    /// Selects the sources to evict: expired and unused ones, then the least recently used until
    /// every limit is met.
    ///
    /// Pinned sources and sources in use are never selected. If the clock was set back, nothing
    /// expires.
    public func victims(
        among sources: [SourceSummary], now: Double, freeBytes: Int64
    ) -> [(source: SourceSummary, reason: Reason)] {
        var (entries, free) = (sources.count, freeBytes)
        var bytes = sources.reduce(0) { $0 + $1.diskBytes }
        let movable = sources.filter { !$0.entry.isPinned && !$0.isInUse }.sorted {
            ($0.entry.lastUsedAt, $0.key.description) < ($1.entry.lastUsedAt, $1.key.description)
        }
        let old = movable.map { ageReason($0.entry, now: now) }
        var victims: [(source: SourceSummary, reason: Reason)] = []
        for isSecondPass in [false, true] {
            for (source, age) in zip(movable, old) where (age == nil) == isSecondPass {
                guard let reason = age ?? excess(entries, bytes, free) else { break }
                victims.append((source, reason))
                (entries, bytes, free) = (
                    entries - 1, bytes - source.diskBytes, free + source.diskBytes
                )
            }
        }
        return victims
    }

    private func ageReason(_ entry: SourceEntry, now: Double) -> Reason? {
        if let age = expiresSeconds, now - entry.createdAt >= age { return .expired }
        if let age = unusedSeconds, now - entry.lastUsedAt >= age { return .unused }
        return nil
    }

    private func excess(_ entries: Int, _ bytes: Int64, _ free: Int64) -> Reason? {
        if let most = maxEntries, entries > most { return .overCount }
        if let most = maxBytes, bytes > most { return .overBytes }
        return free < minFreeBytes ? .lowSpace : nil
    }
}
