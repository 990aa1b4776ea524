internal import TakeupSQL

extension ManifestEntry {
    /// The columns that `init(_:)` reads, of `cache_entry` under the name `e`.
    static let columns = """
        e.key,
        coalesce(
            (SELECT a.id FROM cache_alias AS a WHERE a.key = e.key ORDER BY a.number LIMIT 1),
            e.key),
        e.sha256, e.extension, e.bytes, e.preset, e.source, e.created_at, e.expires_at,
        e.last_access_at, e.hits, e.pinned, e.duration, e.frames, e.warnings
        """

    /// - Returns: nil for a row that names no file of the cache.
    init?(_ row: any SQLRow) {
        guard let kind = ObjectName.FileExtension(rawValue: row.text(3)),
            let object = ObjectName(sha256: row.text(2), fileExtension: kind)
        else { return nil }
        self.init(
            key: row.text(0), object: object, bytes: row.integer(4), createdAt: row.real(7))
        id = row.text(1)
        (preset, source) = (row.text(5), row.text(6))
        (expiresAt, lastAccessAt) = (row.optionalReal(8), row.real(9))
        (hits, isPinned) = (row.integer(10), row.flag(11))
        (duration, frames, warnings) = (row.real(12), row.integer(13), row.text(14))
    }

    /// The values of a new row, in the order of `insertion`.
    var values: [SQLValue] {
        [
            .text(key), .text(sha256), .text(object.fileExtension.rawValue), .integer(bytes),
            .text(preset), .text(source), .real(createdAt), .real(expiresAt),
            .real(lastAccessAt), .integer(hits), .flag(isPinned), .real(duration),
            .integer(frames), .text(warnings),
        ]
    }

    static let insertion = """
        INSERT INTO cache_entry (
            key, sha256, extension, bytes, preset, source, created_at, expires_at,
            last_access_at, hits, pinned, duration, frames, warnings
        )
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
        ON CONFLICT (key) DO NOTHING
        """
}
