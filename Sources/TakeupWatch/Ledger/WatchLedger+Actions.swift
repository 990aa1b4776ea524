internal import TakeupFiles
internal import TakeupSQL
internal import TakeupSQLite

extension WatchLedger {
    static let actionColumns =
        "folder, path, device, inode, bytes, modified_ns, changed_ns, fingerprint, job, kind, tries, reason"

    /// Notes how a file's job ended, what is to be done with the source now, and whom to tell, in one step.
    ///
    /// - Parameters:
    ///   - file: As it was handed; what is known of it by now has to be of the same job.
    ///   - state: `.done` or `.failed`.
    ///   - reason: Why it failed.
    ///   - action: nil where the source stays as it is.
    ///   - notices: Of this end.
    /// - Returns: `false` when something else has become of the file meanwhile, and nothing was written.
    /// - Throws: `WatchError.store`.
    public func end(
        _ file: WatchedFile, as state: WatchedFile.State, reason: String? = nil,
        then action: SourceAction? = nil, telling notices: [OutboxEntry] = []
    ) throws(WatchError) -> Bool {
        try change { (connection) throws(SQLError) in
            let changed = try connection.run(
                """
                UPDATE watch_file SET state = ?4, reason = ?5, updated_at = ?6
                    WHERE folder = ?1 AND path = ?2 AND job = ?3 AND state = 'handed'
                """,
                [
                    .text(file.folder), .text(file.path), .text(file.job),
                    .text(state.rawValue), .text(reason), .real(now()),
                ])
            guard changed == 1 else { return false }
            try dropAction(of: file, connection)
            if let action { try write(action, dueAt: now(), connection) }
            try write(notices, connection)
            return true
        }
    }

    /// What may be done in a folder now, the longest due first.
    public func dueActions(in folder: String, limit: Int) throws(WatchError) -> [SourceAction] {
        try select(
            "folder = ?1 AND due_at <= ?2 ORDER BY due_at, path LIMIT ?3",
            [.text(folder), .real(now()), .integer(limit)])
    }

    /// All that is still to be done in a folder, without what waits for its source to be found again.
    public func actions(in folder: String) throws(WatchError) -> [SourceAction] {
        try select(
            "folder = ?1 AND due_at < ?2 ORDER BY path", [.text(folder), .real(Self.parkedAt)])
    }

    /// When what waits for its source to be found again would be due, in seconds since 1970.
    static let parkedAt = 1e12

    /// Notes what is to be done with a source, in place of anything else that was.
    public func expect(_ action: SourceAction) throws(WatchError) {
        try change { (connection) throws(SQLError) in
            try write(action, dueAt: now(), connection)
        }
    }

    /// Has an action wait until its source is found under another name.
    public func park(_ action: SourceAction) throws(WatchError) {
        _ = try change { (connection) throws(SQLError) in
            try connection.run(
                "UPDATE watch_action SET due_at = ?4 WHERE folder = ?1 AND path = ?2 AND job = ?3",
                [
                    .text(action.folder), .text(action.path), .text(action.job),
                    .real(Self.parkedAt),
                ])
        }
    }

    func dropAction(of file: WatchedFile, _ connection: SQLiteConnection) throws(SQLError) {
        try connection.run(
            "DELETE FROM watch_action WHERE folder = ?1 AND path = ?2",
            [.text(file.folder), .text(file.path)])
    }

    /// Takes an action up again whose source was not found and is there now.
    public func wake(actionOf path: String, in folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE watch_action SET due_at = ?3
                    WHERE folder = ?1 AND path = ?2 AND due_at >= ?4
                """, [.text(folder), .text(path), .real(now()), .real(Self.parkedAt)])
        }
    }

    /// Takes actions up again that wait for sources which no scan has missed: the folder itself may not have been there.
    public func wakeActions(in folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE watch_action SET due_at = ?2 WHERE folder = ?1 AND due_at >= ?3
                    AND path IN
                        (SELECT path FROM watch_file WHERE folder = ?1 AND gone_at IS NULL)
                """, [.text(folder), .real(now()), .real(Self.parkedAt)])
        }
    }

    /// What is to be done with a source goes with it to its new name.
    func move(
        actionOf file: WatchedFile, to moved: WatchedFile, _ connection: SQLiteConnection
    ) throws(SQLError) {
        let found = try connection.query(
            "SELECT \(Self.actionColumns) FROM watch_action WHERE folder = ?1 AND path = ?2",
            [.text(file.folder), .text(file.path)]
        ) { SourceAction($0) }.compactMap(\.self)
        guard let action = found.first, action.fingerprint == file.fingerprint else { return }
        try dropAction(of: file, connection)
        // Still of the very file that was encoded: another one of its name and content is left alone.
        var again = SourceAction(of: moved, job: action.job, kind: action.kind)
        again.identity = action.identity
        try write(again, dueAt: now(), connection)
    }

    /// Notes that an action is done, or that there is nothing left to do it with, and whom to tell, in one step.
    public func finish(
        _ action: SourceAction, isDone: Bool = false, telling notices: [OutboxEntry] = []
    ) throws(WatchError) {
        try change { (connection) throws(SQLError) in
            let changed = try connection.run(
                "DELETE FROM watch_action WHERE folder = ?1 AND path = ?2 AND job = ?3",
                [.text(action.folder), .text(action.path), .text(action.job)])
            if changed == 1 { try write(notices, connection) }
            if isDone {
                try connection.run(
                    "UPDATE watch_file SET acted = ?4 WHERE folder = ?1 AND path = ?2 AND job = ?3",
                    [
                        .text(action.folder), .text(action.path), .text(action.job),
                        .text(action.kind.rawValue),
                    ])
            }
        }
    }

    /// Notes that an action failed and is tried again later.
    ///
    /// - Parameters:
    ///   - action: What failed.
    ///   - reason: Why.
    ///   - seconds: From now on.
    /// - Throws: `WatchError.store`.
    public func postpone(
        _ action: SourceAction, because reason: String, bySeconds seconds: Double
    ) throws(WatchError) {
        _ = try change { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE watch_action SET tries = tries + 1, reason = ?4, due_at = ?5
                    WHERE folder = ?1 AND path = ?2 AND job = ?3
                """,
                [
                    .text(action.folder), .text(action.path), .text(action.job), .text(reason),
                    .real(now() + seconds),
                ])
        }
    }

    private func write(
        _ action: SourceAction, dueAt: Double, _ connection: SQLiteConnection
    ) throws(SQLError) {
        let places = (1...13).map { "?\($0)" }.joined(separator: ", ")
        try connection.run(
            """
            INSERT OR REPLACE INTO watch_action (\(Self.actionColumns), due_at) VALUES (\(places))
            """,
            [.text(action.folder), .text(action.path)] + action.identity.values + [
                .text(action.fingerprint), .text(action.job), .text(action.kind.rawValue),
                .integer(action.tries),
                .text(action.reason), .real(dueAt),
            ])
    }

    private func select(
        _ condition: String, _ values: [SQLValue]
    ) throws(WatchError) -> [SourceAction] {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT \(Self.actionColumns) FROM watch_action WHERE \(condition)", values
            ) { SourceAction($0) }.compactMap(\.self)
        }
    }
}

extension SourceAction {
    /// - Returns: nil for a kind that this version does not know.
    fileprivate init?(_ row: any SQLRow) {
        guard let kind = Kind(rawValue: row.text(9)) else { return nil }
        let file = WatchedFile(
            folder: row.text(0), path: row.text(1), identity: FileIdentity(row, from: 2),
            fingerprint: row.text(7), work: "")
        self.init(of: file, job: row.text(8), kind: kind)
        (tries, reason) = (Int(row.integer(10)), row.optionalText(11))
    }
}
