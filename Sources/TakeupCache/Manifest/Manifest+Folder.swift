internal import TakeupLanes
internal import TakeupSQL

extension Manifest {
    /// Entries that are looked for in a folder to tell whether it is the one that they are about.
    private static let mostSamples = 200

    /// The folder that the database's results are in, as far as it knows.
    package struct KnownFolder: Equatable {
        /// nil before the first one, and in a database of a version that did not ask.
        package var id: String?
        /// Where it was seen last; to be shown.
        package var path: String?
    }

    /// The folder or bucket that the results are in.
    package func knownFolder() throws(CacheError) -> KnownFolder {
        try use { (connection) throws(SQLError) in try Self.knownFolder(connection) }
    }

    private static func knownFolder(
        _ connection: any SQLConnection
    ) throws(SQLError) -> KnownFolder {
        try connection.query("SELECT folder, folder_path FROM cache_database") {
            KnownFolder(id: $0.optionalText(0), path: $0.optionalText(1))
        }.first ?? KnownFolder()
    }

    /// Sees that the database still knows the folder that this process works on: another process may have adopted
    /// another one since.
    ///
    /// - Throws: `CacheError` with `.notKnown` or `.store`.
    package func requireOwnFolder() throws(CacheError) {
        guard let own = ownFolder.withLock({ $0 }) else { return }
        let known = try knownFolder()
        if known.id != own.id { throw Self.lost(own, known) }
    }

    private static func lost(_ own: KnownFolder, _ known: KnownFolder) -> CacheError {
        .notKnown(path: own.path ?? "", .another, lastPath: known.path)
    }

    /// As `change`, for rows that are about files of this process's folder: changes nothing once the database knows
    /// another one.
    ///
    /// - Throws: `CacheError` with `.notKnown` or `.store`.
    func changeEntries<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(CacheError) -> Value {
        guard let own = ownFolder.withLock({ $0 }) else { return try change(body) }
        var known = own
        let value = try change { (connection) throws(SQLError) -> Value? in
            known = try Self.knownFolder(connection)
            return known.id == own.id ? try body(connection) : nil
        }
        guard let value else { throw Self.lost(own, known) }
        return value
    }

    /// Notes the results' folder, unless another process has noted one.
    ///
    /// - Returns: Whether it is the one that is known now.
    package func noteFolder(
        _ id: String, at path: String, insteadOf known: String?
    ) throws(CacheError) -> Bool {
        let isNoted = try change { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE cache_database SET folder = ?1, folder_path = ?2
                WHERE folder IS NOT DISTINCT FROM ?3 OR folder = ?1
                """, [.text(id), .text(path), .text(known)]) == 1
        }
        if isNoted { claimed(KnownFolder(id: id, path: path)) }
        return isNoted
    }

    /// Binds this process's changes of rows to a folder; see `changeEntries`.
    func claimed(_ folder: KnownFolder) { ownFolder.withLock { $0 = folder } }

    /// Whether there is any result.
    package func hasEntries() throws(CacheError) -> Bool {
        try use { (connection) throws(SQLError) in
            try connection.query("SELECT 1 FROM cache_entry LIMIT 1") { _ in true }.first ?? false
        }
    }

    /// Some entries, by keys that say nothing about them.
    package func sample() throws(CacheError) -> [ManifestEntry] {
        try use { (connection) throws(SQLError) in
            try Self.entries(
                where: "TRUE ORDER BY e.key LIMIT ?1", [.integer(Int64(Self.mostSamples))],
                connection)
        }
    }
}
