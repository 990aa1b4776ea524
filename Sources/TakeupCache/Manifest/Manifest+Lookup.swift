internal import TakeupSQL

extension Manifest {
    /// Finds an entry by one of its names, its key, or the beginning of its key; counts nothing.
    ///
    /// - Throws: `CacheError.ambiguous` for a beginning that several keys have.
    public func entry(named name: String) throws(CacheError) -> ManifestEntry? {
        let byName = "e.key = (SELECT key FROM cache_alias WHERE id = ?1)"
        if let entry = try entries(where: byName, [.text(name)]).first { return entry }
        if let entry = try entry(key: name) { return entry }
        guard name.utf8.count >= Self.shortestPrefix,
            name.utf8.allSatisfy(ObjectName.isHexadecimal)
        else { return nil }
        // `g` sorts after every digit.
        let found = try entries(
            where: "e.key >= ?1 AND e.key < ?1 || 'g' LIMIT 2", [.text(name)])
        guard found.count < 2 else { throw .ambiguous(name: name) }
        return found.first
    }

    /// Finds an entry by its whole key; counts nothing.
    public func entry(key: String) throws(CacheError) -> ManifestEntry? {
        try entries(where: "e.key = ?1", [.text(key)]).first
    }

    /// Every entry, the one read last first.
    public func entries() throws(CacheError) -> [ManifestEntry] {
        try entries(where: "TRUE ORDER BY e.last_access_at DESC, e.key", [])
    }

    /// Every name that an entry can be asked for by, in the order in which they were given.
    public func aliases(of key: String) throws(CacheError) -> [String] {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT id FROM cache_alias WHERE key = ?1 ORDER BY number", [.text(key)]
            ) { $0.text(0) }
        }
    }

    /// The same of all entries that have names, by their keys.
    public func aliases() throws(CacheError) -> [String: [String]] {
        let pairs = try use { (connection) throws(SQLError) in
            try connection.query("SELECT key, id FROM cache_alias ORDER BY number", []) {
                ($0.text(0), $0.text(1))
            }
        }
        return Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
    }

    /// The rows whose files are in one folder of the cache.
    package func entries(inShard shard: String) throws(CacheError) -> [ManifestEntry] {
        try entries(where: "e.sha256 >= ?1 AND e.sha256 < ?1 || 'g'", [.text(shard)])
    }

    /// Whether a row names the file and says that it is so large.
    package func isRecorded(_ object: ObjectName, bytes: Int64? = nil) throws(CacheError) -> Bool {
        try use { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT 1 FROM cache_entry
                WHERE sha256 = ?1 AND extension = ?2 AND (bytes = ?3 OR ?3 IS NULL) LIMIT 1
                """,
                [.text(object.sha256), .text(object.fileExtension.rawValue), .integer(bytes)]
            ) { _ in true }.first ?? false
        }
    }

    private func entries(
        where condition: String, _ values: [SQLValue]
    ) throws(CacheError) -> [ManifestEntry] {
        try use { (connection) throws(SQLError) in
            try Self.entries(where: condition, values, connection)
        }
    }

    static func entries(
        where condition: String, _ values: [SQLValue], _ connection: any SQLConnection
    ) throws(SQLError) -> [ManifestEntry] {
        try connection.query(
            "SELECT \(ManifestEntry.columns) FROM cache_entry AS e WHERE \(condition)", values
        ) { ManifestEntry($0) }.compactMap { $0 }
    }
}
