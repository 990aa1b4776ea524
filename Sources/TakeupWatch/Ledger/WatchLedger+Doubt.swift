internal import TakeupSQLite

/// Jobs that may have ended while the disk of their outputs was away: what they wrote would lie beneath its place.
extension WatchLedger {
    /// Notes the jobs of a folder that have not ended, as far as is known, in place of those before.
    public func doubt(in folder: String) throws(WatchError) {
        try change { (connection) throws(SQLiteError) in
            let name: [SQLiteValue] = [.text(folder)]
            try connection.run(
                """
                DELETE FROM watch_doubt WHERE folder = ?1 AND job NOT IN
                    (SELECT job FROM watch_file WHERE folder = ?1 AND state = 'handed'
                        AND job IS NOT NULL)
                """, name)
            try connection.run(
                """
                INSERT OR IGNORE INTO watch_doubt (folder, job)
                    SELECT folder, job FROM watch_file
                    WHERE folder = ?1 AND state = 'handed' AND job IS NOT NULL
                """, name)
        }
    }

    /// The jobs that were noted and not looked at since.
    public func doubtful(in folder: String) throws(WatchError) -> Set<String> {
        Set(
            try use { (connection) throws(SQLiteError) in
                try connection.query(
                    "SELECT job FROM watch_doubt WHERE folder = ?1", [.text(folder)]
                ) { $0.text(0) }
            })
    }

    /// Notes that a job was looked at.
    public func trust(_ job: String, in folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLiteError) in
            try connection.run(
                "DELETE FROM watch_doubt WHERE folder = ?1 AND job = ?2",
                [.text(folder), .text(job)])
        }
    }
}
