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
    public func isDone(in connection: any SQLConnection) throws(SQLError) -> Bool {
        try version(connection) == scripts.count
    }

    /// Makes nothing.
    ///
    /// - Returns: Whether nothing is missing.
    /// - Throws: `SQLError`, as `migrate` would of what is there.
    package func isKnown(in connection: any SQLConnection) throws(SQLError) -> Bool {
        let present = try version(connection)
        try requireKnown(present, connection)
        return present == scripts.count
    }

    private func requireKnown(
        _ present: Int, _ connection: any SQLConnection
    ) throws(SQLError) {
        guard present <= scripts.count else {
            throw SQLError(
                .migrate, .laterVersion, code: "version \(present)",
                message: "\(owner) is at version \(present), this program knows \(scripts.count)",
                database: connection.name)
        }
    }

    /// Whether a database has these tables, of whatever version.
    public func isBegun(in connection: any SQLConnection) throws(SQLError) -> Bool {
        try version(connection) > 0
    }

    /// Runs what is missing, in one transaction.
    ///
    /// - Throws: `SQLError`; `.migrate` when the database is of a later version than this program.
    public func migrate(_ connection: any SQLConnection) throws(SQLError) {
        if try isDone(in: connection) { return }
        try connection.transaction { () throws(SQLError) in
            // A large table takes its time, and this is done once.
            if connection.dialect == .postgres {
                try connection.execute("SET LOCAL statement_timeout = 0")
            }
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS migration (
                    owner TEXT PRIMARY KEY, version INTEGER NOT NULL
                )
                """)
            let present = try version(connection)
            try requireKnown(present, connection)
            for script in scripts[present...] { try connection.execute(script) }
            try connection.run(
                """
                INSERT INTO migration (owner, version) VALUES (?1, ?2)
                ON CONFLICT (owner) DO UPDATE SET version = excluded.version
                """,
                [.text(owner), .integer(scripts.count)])
        }
    }

    private func version(_ connection: any SQLConnection) throws(SQLError) -> Int {
        let tables = try connection.query(
            connection.dialect.tableExists, [.text("migration")]
        ) { _ in true }
        guard !tables.isEmpty else {
            try requireSchema(connection)
            return 0
        }
        return try connection.query(
            "SELECT version FROM migration WHERE owner = ?1", [.text(owner)]
        ) { Int($0.integer(0)) }.first ?? 0
    }

    /// Where no schema is found no table is, neither one that is there.
    private func requireSchema(_ connection: any SQLConnection) throws(SQLError) {
        guard connection.dialect == .postgres else { return }
        let isMissing = try connection.query("SELECT current_schema()") { $0.isNull(0) }
        guard isMissing == [true] else { return }
        throw SQLError(
            .migrate, .noSchema, code: "3F000",
            message: "search_path names none that is there and that the user may use",
            database: connection.name)
    }
}
