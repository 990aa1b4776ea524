package import TakeupCache
package import TakeupModel

/// What the cache holds and what it has been good for.
package struct CacheFigures: Sendable, Equatable {
    package let entries: Int
    package let bytes: Int64
    package let hits: Int64
    package let misses: Int64
    /// The sizes of all hits, added up.
    package let bytesSaved: Int64
    package let evictions: Int64
    /// Results that were made, not found.
    package let exports: Int64
    package let retries: Int64
    /// Media seconds a second of work; nil before anything was made.
    package let speed: Double?
    /// Free on the cache's file system.
    package let freeBytes: Int64
    /// Fetched sources, and what they take up on the disk.
    package var sources = 0
    package var sourceBytes: Int64 = 0
    /// Files that no entry names, set aside for thirty days.
    package var orphans = 0
    package var orphanBytes: Int64 = 0

    package init(
        entries: Int, bytes: Int64, hits: Int64, misses: Int64, bytesSaved: Int64,
        evictions: Int64, exports: Int64, retries: Int64, speed: Double?, freeBytes: Int64,
        sources: Int = 0, sourceBytes: Int64 = 0, orphans: Int = 0, orphanBytes: Int64 = 0
    ) {
        (self.entries, self.bytes, self.hits, self.misses) = (entries, bytes, hits, misses)
        (self.bytesSaved, self.evictions, self.exports) = (bytesSaved, evictions, exports)
        (self.retries, self.speed, self.freeBytes) = (retries, speed, freeBytes)
        (self.sources, self.sourceBytes) = (sources, sourceBytes)
        (self.orphans, self.orphanBytes) = (orphans, orphanBytes)
    }

    package var json: JSONValue {
        [
            "entries": .whole(entries), "bytes": .integer(bytes), "hits": .integer(hits),
            "misses": .integer(misses), "bytesSaved": .integer(bytesSaved),
            "evictions": .integer(evictions), "freeBytes": .integer(freeBytes),
            "exports": .integer(exports), "retries": .integer(retries),
            "speed": .measured(speed), "sources": .whole(sources),
            "sourceBytes": .integer(sourceBytes), "orphans": .whole(orphans),
            "orphanBytes": .integer(orphanBytes),
        ]
    }
}

extension CacheFigures {
    package init(_ statistics: CacheStatistics) {
        self.init(
            entries: statistics.entries, bytes: statistics.bytes, hits: statistics.hits,
            misses: statistics.misses, bytesSaved: statistics.bytesSaved,
            evictions: statistics.evictions, exports: statistics.exports,
            retries: statistics.retries, speed: statistics.speed, freeBytes: statistics.freeBytes,
            orphans: statistics.orphans, orphanBytes: statistics.orphanBytes)
    }
}
