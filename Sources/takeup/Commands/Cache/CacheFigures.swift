import TakeupModel

/// What the cache holds and what it has been good for.
struct CacheFigures: Sendable, Equatable {
    let entries: Int
    let bytes: Int64
    let hits: Int64
    let misses: Int64
    /// The sizes of all hits, added up.
    let bytesSaved: Int64
    let evictions: Int64
    /// Results that were made, not found.
    let exports: Int64
    let retries: Int64
    /// Media seconds a second of work; nil before anything was made.
    let speed: Double?
    /// Free on the cache's file system.
    let freeBytes: Int64
    /// Fetched sources, and what they take up on the disk.
    var sources = 0
    var sourceBytes: Int64 = 0
    /// Files that no entry names, set aside for thirty days.
    var orphans = 0
    var orphanBytes: Int64 = 0

    var json: JSONValue {
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
