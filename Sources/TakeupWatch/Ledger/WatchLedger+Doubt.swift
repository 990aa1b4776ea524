internal import TakeupSQL
internal import TakeupSQLite

/// Jobs whose outputs may lie beneath the place of a disk that was away.
extension WatchLedger {
    /// Selects jobs that have not ended as far as the ledger knows, and jobs whose sources wait for an action.
    private static let unsettledJobs = """
        SELECT job FROM watch_file WHERE folder = ?1 AND state = 'handed' AND job IS NOT NULL
            UNION SELECT job FROM watch_action WHERE folder = ?1
        """

    /// Notes the jobs of a folder that are not over, and no others: the disk of their outputs is or was away.
    ///
    /// - Throws: `WatchError.store`, as all of these do.
    public func doubt(in folder: String) throws(WatchError) {
        try change { (connection) throws(SQLError) in
            try doubt(in: folder, isSure: true, connection)
        }
    }

    /// Notes that a folder is watched from now on; behind a kill its jobs are doubtful.
    public func begin(_ folder: String) throws(WatchError) {
        try change { (connection) throws(SQLError) in
            let isFirst = try connection.run(
                "INSERT OR IGNORE INTO watch_begun (folder) VALUES (?1)", [.text(folder)])
            if isFirst == 0 { try doubt(in: folder, isSure: false, connection) }
        }
    }

    /// Notes that a folder is watched no more, and that this was no kill.
    public func finish(_ folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run("DELETE FROM watch_begun WHERE folder = ?1", [.text(folder)])
        }
    }

    private func doubt(
        in folder: String, isSure: Bool, _ connection: SQLiteConnection
    ) throws(SQLError) {
        try connection.run(
            "DELETE FROM watch_doubt WHERE folder = ?1 AND job NOT IN (\(Self.unsettledJobs))",
            [.text(folder)])
        try connection.run(
            """
            INSERT INTO watch_doubt (folder, job, is_sure)
                SELECT ?1, job, ?2 FROM (\(Self.unsettledJobs)) WHERE true
                ON CONFLICT DO UPDATE SET is_sure = max(is_sure, excluded.is_sure)
            """, [.text(folder), .integer(isSure ? 1 : 0)])
    }

    /// The jobs that were noted, each with whether it is known that the disk was away.
    public func doubtful(in folder: String) throws(WatchError) -> [String: Bool] {
        let rows = try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT job, is_sure FROM watch_doubt WHERE folder = ?1", [.text(folder)]
            ) { ($0.text(0), $0.integer(1) == 1) }
        }
        return Dictionary(rows) { $0 || $1 }
    }
}
