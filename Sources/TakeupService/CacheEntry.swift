package import TakeupModel

/// One result or one fetched source in the cache, as commands tell of it.
///
/// Times are seconds since 1970.
package struct CacheEntry: Sendable, Equatable {
    /// Digits of a key by which an entry without a name can be asked for.
    package static let keyDigits = 16

    package enum Kind: String, Sendable {
        case result
        case source
        /// A source that is not here as a whole.
        case partialSource
    }

    /// The first of its names, the one that it was asked for by, or its key where it has none.
    package let id: String
    /// Every name that it can be asked for by, in the order in which they were given.
    package let names: [String]
    /// Absolute.
    package let path: String
    package let bytes: Int64
    /// Nil for a source, of which only blocks are known.
    package let sha256: String?
    /// Nil for a source.
    package let preset: String?
    package let source: String
    package let createdAt: Double
    /// Nil when it has no end of its own.
    package let expiresAt: Double?
    package let lastAccessAt: Double
    package let hits: Int64
    package let isPinned: Bool
    package let kind: Kind

    package init(
        id: String, names: [String], path: String, bytes: Int64, sha256: String?, preset: String?,
        source: String, createdAt: Double, expiresAt: Double?, lastAccessAt: Double, hits: Int64,
        isPinned: Bool, kind: Kind = .result
    ) {
        (self.id, self.names, self.path, self.bytes) = (id, names, path, bytes)
        (self.sha256, self.preset, self.source) = (sha256, preset, source)
        (self.createdAt, self.expiresAt, self.lastAccessAt) = (createdAt, expiresAt, lastAccessAt)
        (self.hits, self.isPinned, self.kind) = (hits, isPinned, kind)
    }

    package var json: JSONValue {
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
