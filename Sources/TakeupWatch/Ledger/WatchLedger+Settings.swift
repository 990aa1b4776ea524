internal import TakeupSQL
internal import TakeupSQLite

/// How folders were watched last, for who asks about their files.
extension WatchLedger {
    /// Notes with which settings a folder is watched from now on, in the words of who watches it.
    public func note(settings: String, of folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run(
                """
                INSERT INTO watch_settings (folder, settings) VALUES (?1, ?2)
                    ON CONFLICT (folder) DO UPDATE SET settings = excluded.settings
                """, [.text(folder), .text(settings)])
        }
    }

    /// - Returns: nil for a folder that was not watched since they are noted.
    public func settings(of folder: String) throws(WatchError) -> String? {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT settings FROM watch_settings WHERE folder = ?1", [.text(folder)]
            ) { $0.text(0) }.first
        }
    }
}
