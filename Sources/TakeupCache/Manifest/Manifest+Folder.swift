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
        try use { (connection) throws(SQLError) in
            try connection.query("SELECT folder, folder_path FROM cache_database") {
                KnownFolder(id: $0.optionalText(0), path: $0.optionalText(1))
            }.first ?? KnownFolder()
        }
    }

    /// Notes the results' folder, unless another process has noted one.
    ///
    /// - Returns: Whether it is the one that is known now.
    package func noteFolder(
        _ id: String, at path: String, insteadOf known: String?
    ) throws(CacheError) -> Bool {
        try change { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE cache_database SET folder = ?1, folder_path = ?2
                WHERE folder IS NOT DISTINCT FROM ?3 OR folder = ?1
                """, [.text(id), .text(path), .text(known)]) == 1
        }
    }

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
