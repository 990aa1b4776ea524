/// Brings a database's tables to the present version, each numbered script once.
public struct Migrator: Sendable {
    /// Whose tables these are; several owners share one database.
    public let owner: String
    /// The scripts in order; the first is number 1.
    ///
    /// A script that was released never changes.
    public let scripts: [String]

    public init(owner: String, scripts: [String]) {
        self.owner = owner
        self.scripts = scripts
    }

    /// Whether nothing is missing, nor there of a later version.
    public func isDone(in connection: Connection) throws(SQLiteError) -> Bool {
        try version(connection) == scripts.count
    }

    /// Runs what is missing, in one transaction.
    ///
    /// - Throws: `SQLiteError`; `.migrate` when the database is of a later version than this program.
    public func migrate(_ connection: Connection) throws(SQLiteError) {
        if try isDone(in: connection) { return }
        try connection.transaction { () throws(SQLiteError) in
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS migration (
                    owner TEXT PRIMARY KEY, version INTEGER NOT NULL
                ) STRICT
                """)
            let present = try version(connection)
            guard present <= scripts.count else {
                throw SQLiteError(
                    .migrate, code: 0,
                    message:
                        "\(owner) is at version \(present), this program knows \(scripts.count)",
                    subject: connection.path)
            }
            for script in scripts[present...] { try connection.execute(script) }
            try connection.run(
                "INSERT OR REPLACE INTO migration (owner, version) VALUES (?1, ?2)",
                [.text(owner), .integer(scripts.count)])
        }
    }

    private func version(_ connection: Connection) throws(SQLiteError) -> Int {
        let tables = try connection.query(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migration'"
        ) { _ in true }
        guard !tables.isEmpty else { return 0 }
        return try connection.query(
            "SELECT version FROM migration WHERE owner = ?1", [.text(owner)]
        ) { Int($0.integer(0)) }.first ?? 0
    }
}
