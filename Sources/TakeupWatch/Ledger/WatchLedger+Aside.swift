internal import TakeupSQL
internal import TakeupSQLite

/// Folders inside watched ones that sources have been moved to: what is in them is never taken again.
extension WatchLedger {
    /// Notes a folder before the first source goes there.
    ///
    /// - Parameters:
    ///   - path: Absolute.
    ///   - folder: The watched one.
    /// - Throws: `WatchError.store`.
    public func noteAside(_ path: String, in folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run(
                "INSERT OR IGNORE INTO watch_aside (folder, path) VALUES (?1, ?2)",
                [.text(folder), .text(path)])
        }
    }

    /// The folders that were noted; absolute.
    public func asides(in folder: String) throws(WatchError) -> [String] {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT path FROM watch_aside WHERE folder = ?1", [.text(folder)]
            ) { $0.text(0) }
        }
    }

    /// Has a source that was set aside be tried once more when it comes back, under a job of its own.
    public func expectAgain(_ action: SourceAction) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE watch_file SET again = again + 1, work = ''
                    WHERE folder = ?1 AND path = ?2 AND state = 'failed'
                """, [.text(action.folder), .text(action.path)])
        }
    }
}
