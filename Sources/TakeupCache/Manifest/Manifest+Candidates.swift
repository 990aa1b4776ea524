internal import TakeupSQL

extension Manifest {
    private static let candidate = """
        SELECT key, sha256 || extension, bytes, created_at, last_access_at, expires_at, pinned,
            (SELECT count(*) FROM cache_entry AS other
                WHERE other.sha256 = e.sha256 AND other.extension = e.extension)
        FROM cache_entry AS e
        """

    /// The entries that may be the first to go: what is too old or unused for too long, and the least recently used.
    ///
    /// - Parameters:
    ///   - limits: Of age.
    ///   - most: Entries of each kind.
    /// - Returns: nil where there are more that are too old.
    /// - Throws: `CacheError` when the manifest cannot be read.
    func firstCandidates(
        _ limits: CacheLimits, most: Int
    ) throws(CacheError) -> EvictionPolicy.Part? {
        let time = now()
        var ages = [("expires_at IS NOT NULL AND expires_at <= ?1", time)]
        if let age = limits.expiresSeconds { ages.append(("created_at <= ?1", time - age)) }
        if let age = limits.unusedSeconds { ages.append(("last_access_at <= ?1", time - age)) }
        return try use { (connection) throws(SQLError) in
            var part = EvictionPolicy.Part(holdings: try Self.holdings(connection))
            for (condition, limit) in ages {
                let found = try Self.take(
                    "WHERE pinned = 0 AND \(condition) LIMIT ?2",
                    [.real(limit), .integer(most)], into: &part, connection)
                if found == most { return nil }
            }
            let found = try Self.take(
                "WHERE pinned = 0 ORDER BY last_access_at, key LIMIT ?1", [.integer(most)],
                into: &part, connection)
            part.isAll = found < most
            return part
        }
    }

    private static func take(
        _ condition: String, _ values: [SQLValue], into part: inout EvictionPolicy.Part,
        _ connection: any SQLConnection
    ) throws(SQLError) -> Int {
        let found = try connection.query("\(candidate) \(condition)", values) { row in
            (read(row), Int(row.integer(7)))
        }
        for (candidate, sharers) in found { part.add(candidate, sharers: sharers) }
        return found.count
    }

    private static func holdings(_ connection: any SQLConnection) throws(SQLError) -> CacheHoldings
    {
        try connection.query("SELECT entries, bytes FROM cache_total") { row in
            CacheHoldings(entries: Int(row.integer(0)), bytes: Int128(row.real(1)))
        }.first ?? CacheHoldings(entries: 0, bytes: 0)
    }

    func candidates() throws(CacheError) -> [EvictionPolicy.Candidate] {
        try use { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT key, sha256 || extension, bytes, created_at, last_access_at, expires_at,
                    pinned
                FROM cache_entry
                """
            ) { Self.read($0) }
        }
    }

    private static func read(_ row: any SQLRow) -> EvictionPolicy.Candidate {
        EvictionPolicy.Candidate(
            key: row.text(0), content: row.text(1), bytes: row.integer(2), createdAt: row.real(3),
            lastAccessAt: row.real(4), expiresAt: row.optionalReal(5), isPinned: row.flag(6))
    }
}
