public import TakeupSQL

extension Manifest {
    /// Records a result whose file is in place, and its name.
    ///
    /// The first result of a work stays; a later one only adds its name. One that has expired gives way. A name
    /// that belonged to another result leads to this one from now on.
    ///
    /// - Parameters:
    ///   - entry: Its `id` is not used.
    ///   - alias: A name to ask for it by; nil adds none.
    ///   - fence: Asked in the same transaction.
    ///   - expiresSeconds: The age at which any entry expires; nil leaves it to the entry.
    /// - Throws: `CacheError` with `.store`; `.notKnown` once the database knows another folder.
    /// - Returns: What stands under the key now; nil when the fence does not hold, and nothing is written.
    public func record(
        _ entry: ManifestEntry, alias: String?, if fence: SQLFence,
        expiresSeconds: Double? = nil
    ) throws(CacheError) -> ManifestEntry? {
        // Read in the same transaction: an eviction that comes after it is no lost fence.
        try changeEntries { (connection) throws(SQLError) -> ManifestEntry? in
            guard try fence(connection) else { return nil }
            try connection.run(
                """
                DELETE FROM cache_entry
                WHERE key = ?1 AND pinned = 0 AND (expires_at <= ?2 OR ?2 - created_at >= ?3)
                """, [.text(entry.key), .real(now()), .real(expiresSeconds)])
            try connection.run(ManifestEntry.insertion, entry.values)
            if let alias { try Self.name(entry.key, alias, connection) }
            return try Self.entries(where: "e.key = ?1", [.text(entry.key)], connection).first
        }
    }

    /// Adds a name to ask for an entry by.
    ///
    /// - Parameters:
    ///   - alias: The name.
    ///   - key: Of the entry.
    ///   - fence: Asked in the same transaction.
    /// - Throws: `CacheError.store`.
    /// - Returns: `false` when there is no such entry, or the fence does not hold.
    public func addAlias(
        _ alias: String, to key: String, if fence: SQLFence = { _ in true }
    ) throws(CacheError) -> Bool {
        try change { (connection) throws(SQLError) in
            let present = try connection.query(
                "SELECT 1 FROM cache_entry WHERE key = ?1", [.text(key)]
            ) { _ in true }
            guard !present.isEmpty, try fence(connection) else { return false }
            try Self.name(key, alias, connection)
            return true
        }
    }

    /// Takes names from their entries, which keep their keys; does nothing in a database without the cache's tables.
    ///
    /// - Parameters:
    ///   - names: The names, which will mean something else.
    ///   - connection: A connection whose transaction this is a part of.
    /// - Throws: `SQLError`.
    public static func forget(
        _ names: [String], _ connection: any SQLConnection
    ) throws(SQLError) {
        guard try migrator(connection.dialect).isBegun(in: connection) else { return }
        for start in stride(from: 0, to: names.count, by: mostNamesAtOnce) {
            let some = names[start..<min(start + mostNamesAtOnce, names.count)]
            let marks = (1...some.count).map { "?\($0)" }.joined(separator: ", ")
            try connection.run(
                "DELETE FROM cache_alias WHERE id IN (\(marks))", some.map { .text($0) })
        }
    }

    /// Fewer than the parameters of a statement that SQLite (32,766) and PostgreSQL (65,535) permit.
    private static let mostNamesAtOnce = 1000

    private static func name(
        _ key: String, _ alias: String, _ connection: any SQLConnection
    ) throws(SQLError) {
        try connection.run(
            """
            INSERT INTO cache_alias (id, key) VALUES (?1, ?2)
            ON CONFLICT (id) DO UPDATE SET key = excluded.key
            WHERE cache_alias.key <> excluded.key
            """, [.text(alias), .text(key)])
    }

    /// Lets an entry stay longer where another job shares it, never shorter.
    ///
    /// - Parameters:
    ///   - key: Of the entry.
    ///   - time: Seconds since 1970; nil for as long as the limits of the cache let it.
    /// - Throws: `CacheError.store`.
    public func keep(_ key: String, until time: Double?) throws(CacheError) {
        _ = try change { (connection) throws(SQLError) in
            guard let time else {
                return try connection.run(
                    "UPDATE cache_entry SET expires_at = NULL WHERE key = ?1", [.text(key)])
            }
            return try connection.run(
                "UPDATE cache_entry SET expires_at = ?2 WHERE key = ?1 AND expires_at < ?2",
                [.text(key), .real(time)])
        }
    }

    /// Keeps an entry from going, or lets it go again.
    ///
    /// - Parameters:
    ///   - isPinned: Whether it stays.
    ///   - name: As for `entry(named:)`.
    /// - Throws: `CacheError` with `.store` or `.ambiguous`.
    /// - Returns: `false` when there is no such entry.
    public func setPinned(_ isPinned: Bool, named name: String) throws(CacheError) -> Bool {
        guard let entry = try entry(named: name) else { return false }
        return try change { (connection) throws(SQLError) in
            try connection.run(
                "UPDATE cache_entry SET pinned = ?2 WHERE key = ?1",
                [.text(entry.key), .flag(isPinned)]) == 1
        }
    }

    /// Notes that a result was asked for and given, and what that has saved by itself.
    ///
    /// - Returns: The entry with this hit; nil when it is gone.
    func countHit(
        _ entry: ManifestEntry, saving savedBytes: Int64
    ) throws(CacheError) -> ManifestEntry? {
        let time = now()
        let isCounted = try change { (connection) throws(SQLError) in
            // A clock that was set back does not make an entry look less used.
            let rows = try connection.run(
                """
                UPDATE cache_entry
                SET hits = hits + 1, last_access_at =
                    CASE WHEN last_access_at < ?2 THEN ?2 ELSE last_access_at END
                WHERE key = ?1 AND sha256 = ?3
                """, [.text(entry.key), .real(time), .text(entry.sha256)])
            guard rows == 1 else { return false }
            try Self.add(1, to: .hits, connection)
            try Self.add(savedBytes, to: .bytesSaved, connection)
            return true
        }
        guard isCounted else { return nil }
        var counted = entry
        counted.hits += 1
        counted.lastAccessAt = max(entry.lastAccessAt, time)
        return counted
    }

    /// Notes that bytes of a result were read, in a use that was counted when it began.
    func countRead(_ bytes: Int64, of entry: ManifestEntry) throws(CacheError) {
        let time = now()
        try change { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE cache_entry SET last_access_at = ?2
                WHERE key = ?1 AND last_access_at < ?2
                """, [.text(entry.key), .real(time)])
            try Self.add(bytes, to: .bytesSaved, connection)
        }
    }

    /// Notes that a result was asked for and not there.
    func countMiss() throws(CacheError) {
        try change { (connection) throws(SQLError) in
            try Self.add(1, to: .misses, connection)
        }
    }

    /// Deletes a row that nobody pinned or read since it was looked at, and counts it as evicted.
    ///
    /// - Returns: `false` when it was pinned, read or deleted meanwhile.
    func evict(_ entry: ManifestEntry) throws(CacheError) -> Bool {
        try changeEntries { (connection) throws(SQLError) in
            let rows = try connection.run(
                """
                DELETE FROM cache_entry
                WHERE key = ?1 AND sha256 = ?2 AND pinned = 0 AND last_access_at <= ?3
                    AND hits <= ?4
                """,
                [
                    .text(entry.key), .text(entry.sha256), .real(entry.lastAccessAt),
                    .integer(entry.hits),
                ])
            guard rows == 1 else { return false }
            try Self.add(1, to: .evictions, connection)
            try Self.add(entry.bytes, to: .evictedBytes, connection)
            return true
        }
    }

    /// Deletes the rows of a file that is missing or wrong.
    ///
    /// `differing` takes only those that say another size than it; nil is all.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func dropRows(
        of object: ObjectName, differing: Int64? = nil
    ) throws(CacheError) -> Int {
        try changeEntries { (connection) throws(SQLError) in
            let keys = try connection.query(
                """
                SELECT key FROM cache_entry
                WHERE sha256 = ?1 AND extension = ?2 AND (bytes <> ?3 OR ?3 IS NULL)
                """,
                [.text(object.sha256), .text(object.fileExtension.rawValue), .integer(differing)]
            ) { $0.text(0) }
            // One by one: PostgreSQL's triggers see all deletions of a statement at once, and the sums would drift.
            for key in keys {
                try connection.run("DELETE FROM cache_entry WHERE key = ?1", [.text(key)])
            }
            if !keys.isEmpty { try Self.add(Int64(keys.count), to: .damaged, connection) }
            return keys.count
        }
    }

    /// What is held and what was counted; free space is not known here.
    public func statistics() throws(CacheError) -> CacheStatistics {
        try use { (connection) throws(SQLError) in
            var statistics = CacheStatistics()
            let held = try connection.query(
                "SELECT count(*), coalesce(sum(pinned), 0) FROM cache_entry"
            ) { (Int($0.integer(0)), Int($0.integer(1))) }
            if let held = held.first { (statistics.entries, statistics.pinned) = held }
            statistics.bytes =
                try connection.query(
                    """
                    SELECT coalesce(sum(bytes), 0)
                    FROM (SELECT max(bytes) AS bytes FROM cache_entry GROUP BY sha256, extension)
                        AS file
                    """
                ) { $0.integer(0) }.first ?? 0
            let counters = try connection.query("SELECT name, value FROM cache_counter") {
                ($0.text(0), $0.integer(1))
            }
            for (name, value) in counters {
                guard let counter = CacheCounter(rawValue: name) else { continue }
                statistics[keyPath: counter.sum] = value
            }
            return statistics
        }
    }
}

extension Manifest {
    /// Drops the rows that name a file which is missing or of another size than they say.
    ///
    /// The store keeps others from naming a file during the call: no row goes whose file has just come.
    ///
    /// - Returns: How many there were.
    package func dropRows(
        of object: ObjectName, in store: any ObjectStore
    ) throws(CacheError) -> Int {
        try store.withSize(of: object) { (bytes) throws(CacheError) in
            try dropRows(of: object, differing: bytes)
        }
    }
}
