import TakeupModel

/// One result or one fetched source in the cache, as commands tell of it.
///
/// Times are seconds since 1970.
struct CacheEntry: Sendable, Equatable {
    enum Kind: String, Sendable {
        case result
        case source
        /// A source that is not here as a whole.
        case partialSource
    }

    /// The first of its names, the one that it was asked for by, or its key where it has none.
    let id: String
    /// Every name that it can be asked for by, in the order in which they were given.
    let names: [String]
    /// Absolute.
    let path: String
    let bytes: Int64
    /// Nil for a source, of which only blocks are known.
    let sha256: String?
    /// Nil for a source.
    let preset: String?
    let source: String
    let createdAt: Double
    /// Nil when it has no end of its own.
    let expiresAt: Double?
    let lastAccessAt: Double
    let hits: Int64
    let isPinned: Bool
    var kind = Kind.result

    var json: JSONValue {
        [
            "id": .text(id), "path": .text(path), "bytes": .integer(bytes),
            "sha256": .text(optional: sha256), "preset": .text(optional: preset),
            "source": .text(source),
            "createdAt": .timestamp(createdAt), "expiresAt": .timestamp(expiresAt),
            "lastAccessAt": .timestamp(lastAccessAt), "hits": .integer(hits),
            "pinned": .flag(isPinned), "kind": .text(kind.rawValue),
            "ids": .list(names.map(JSONValue.text)),
        ]
    }
}
