/// One result in the cache, as commands tell of it.
///
/// Times are seconds since 1970.
struct CacheEntry: Sendable, Equatable {
    /// The first of its names, the one that it was asked for by, or its key where it has none.
    let id: String
    /// Every name that it can be asked for by, in the order in which they were given.
    let names: [String]
    /// Absolute.
    let path: String
    let bytes: Int64
    let sha256: String
    let preset: String
    let source: String
    let createdAt: Double
    /// Nil when it has no end of its own.
    let expiresAt: Double?
    let lastAccessAt: Double
    let hits: Int64
    let isPinned: Bool

    var json: JSONValue {
        [
            "id": .text(id), "path": .text(path), "bytes": .integer(bytes),
            "sha256": .text(sha256), "preset": .text(preset), "source": .text(source),
            "createdAt": .timestamp(createdAt), "expiresAt": .timestamp(expiresAt),
            "lastAccessAt": .timestamp(lastAccessAt), "hits": .integer(hits),
            "pinned": .flag(isPinned), "ids": .list(names.map(JSONValue.text)),
        ]
    }
}
