internal import TakeupSQL
internal import TakeupSQLite

/// Files that somebody wants made again, whether or not a daemon runs just then.
extension WatchLedger {
    /// Asks for a file again; whoever watches its folder takes it up.
    public func askAgain(_ path: String, in folder: String) throws(WatchError) {
        _ = try change { (connection) throws(SQLError) in
            try connection.run(
                "INSERT OR REPLACE INTO watch_again (folder, path, asked_at) VALUES (?1, ?2, ?3)",
                [.text(folder), .text(path), .real(now())])
        }
    }

    /// The paths of a folder that are asked for again.
    public func askedAgain(in folder: String) throws(WatchError) -> [String] {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT path FROM watch_again WHERE folder = ?1 ORDER BY asked_at, path",
                [.text(folder)]
            ) { $0.text(0) }
        }
    }

    /// Records the new state of a file after a request to process the file again, and removes the request.
    ///
    /// One transaction does both.
    ///
    /// - Parameters:
    ///   - path: What was asked for.
    ///   - folder: Where.
    ///   - file: The file's new state. With nil the ledger forgets the file, and the next scan treats it as new.
    /// - Throws: `WatchError.store`.
    public func answerAgain(
        _ path: String, in folder: String, with file: WatchedFile?
    ) throws(WatchError) {
        try change { (connection) throws(SQLError) in
            let names: [SQLValue] = [.text(folder), .text(path)]
            try connection.run("DELETE FROM watch_again WHERE folder = ?1 AND path = ?2", names)
            if let file {
                try write(file, connection)
            } else {
                try connection.run("DELETE FROM watch_file WHERE folder = ?1 AND path = ?2", names)
            }
        }
    }

    /// The watched folders that were ever seen.
    public func folders() throws(WatchError) -> [String] {
        try use { (connection) throws(SQLError) in
            try connection.query("SELECT path FROM watch_folder ORDER BY path", []) { $0.text(0) }
        }
    }
}
