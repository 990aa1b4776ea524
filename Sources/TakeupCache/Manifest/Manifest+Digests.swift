public import TakeupFiles
internal import TakeupSQL

extension Manifest {
    /// Files whose hashes are remembered; the longest unused ones go.
    private static let mostDigests = 200_000

    /// The SHA-256 of an unchanged file that was hashed before; nil when it has to be read.
    ///
    /// - Throws: `CacheError.store`.
    public func digest(of file: FileIdentity) throws(CacheError) -> String? {
        try useLocal { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT sha256 FROM file_digest WHERE device = ?1 AND inode = ?2 AND bytes = ?3
                    AND modified_ns = ?4 AND changed_ns = ?5
                """, values(file)
            ) { $0.text(0) }.first
        }
    }

    /// Remembers what a file holds, unless it was written so lately that a change could go unseen.
    ///
    /// - Parameters:
    ///   - sha256: Of the whole content.
    ///   - file: As it was both before and after it was read.
    /// - Throws: `CacheError.store`.
    public func remember(_ sha256: String, of file: FileIdentity) throws(CacheError) {
        guard !file.isFresh(now: now()) else { return }
        _ = try useLocal { (connection) throws(SQLError) in
            try connection.run(
                "INSERT OR REPLACE INTO file_digest VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                values(file) + [.text(sha256), .real(now())])
        }
    }

    /// Forgets the hashes that were remembered longest ago, beyond what is kept.
    ///
    /// - Throws: `CacheError.store`.
    public func pruneDigests() throws(CacheError) {
        _ = try useLocal { (connection) throws(SQLError) in
            try connection.run(
                """
                DELETE FROM file_digest WHERE used_at < (SELECT used_at FROM file_digest
                    ORDER BY used_at DESC LIMIT 1 OFFSET ?1)
                """, [.integer(Self.mostDigests)])
        }
    }

    private func values(_ file: FileIdentity) -> [SQLValue] {
        [
            .integer(file.device), .integer(file.inode), .integer(file.bytes),
            .integer(file.modifiedNanoseconds), .integer(file.changedNanoseconds),
        ]
    }
}
