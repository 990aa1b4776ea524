internal import TakeupSQL
internal import TakeupSQLite

extension WatchLedger {
    /// What waits by the whole database, whoever serves the folders.
    ///
    /// Actions whose sources are gone are left out: they wait for these to be found again.
    public func backlog() throws(WatchError) -> WatchBacklog {
        try use { (connection) throws(SQLError) in
            let actions = try connection.query(
                """
                SELECT folder, count(*) FROM watch_action WHERE due_at < ?1 AND tries > 0
                    GROUP BY folder
                """, [.real(Self.parkedAt)]
            ) { ($0.text(0), Int($0.integer(1))) }
            let events = try connection.query("SELECT count(*) FROM watch_hook", []) {
                Int($0.integer(0))
            }
            return WatchBacklog(
                actions: Dictionary(actions) { $1 }, hookEvents: events.first ?? 0)
        }
    }
}
