internal import Foundation
internal import TakeupLanes
internal import TakeupSQL
internal import TakeupSQLite

extension WatchLedger {
    /// Events that wait for one hook; the oldest go when there are more.
    public static let mostHookEvents = 100_000
    /// Between two counts of them.
    private static let countedAfter: Int64 = 1000
    /// Seconds after which the ledger forgets a hook or folder that no daemon serves.
    private static let forgottenAfter = 30 * 86_400.0
    /// The reason of events that this version cannot read; another version may, and other events do not wait for them.
    private static let unreadReason = "this version of takeup cannot read it"

    /// What a hook is to be told next, be it due or not; nothing overtakes an earlier event of its file.
    public func nextMessage(
        to hook: Hook, of folders: [String]
    ) throws(WatchError) -> HookMessage? {
        let folders = Self.list(folders)
        while true {
            let rows = try use { (connection) throws(SQLError) in
                try connection.query(
                    """
                    SELECT sequence, event, body, created_at, due_at, tries FROM watch_hook AS this
                        WHERE hook = ?1 AND folder IN (SELECT value FROM json_each(?2))
                        AND (reason IS NOT ?3 OR due_at <= ?4)
                        AND NOT EXISTS (SELECT 1 FROM watch_hook AS other WHERE other.hook = ?1
                            AND other.line = this.line AND other.sequence < this.sequence
                            AND other.reason IS NOT ?3)
                        ORDER BY due_at, sequence LIMIT 1
                    """,
                    [.text(hook.key), .text(folders), .text(Self.unreadReason), .real(now())]
                ) { HookRow($0) }
            }
            guard let row = rows.first else { return nil }
            if let message = row.message { return message }
            try putOff(row, of: hook)
        }
    }

    /// Leaves an event of a later version to that version, for as long as any event waits.
    private func putOff(_ row: HookRow, of hook: Hook) throws(WatchError) {
        if now() - row.createdAt >= HookBackoff.mostAgeSeconds {
            try remove(row.sequence, row.event)
            unread.withLock { $0[hook.key, default: UnreadEvents()].dropped += 1 }
            return
        }
        _ = try change { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE watch_hook SET tries = tries + 1, reason = ?2, due_at = ?3
                    WHERE sequence = ?1
                """,
                [
                    .integer(row.sequence), .text(Self.unreadReason),
                    .real(now() + HookBackoff.longestSeconds),
                ])
        }
        if row.isNew { unread.withLock { $0[hook.key, default: UnreadEvents()].kept += 1 } }
    }

    /// How many events of a hook could not be read since the last call.
    func takeUnread(of hook: Hook) -> UnreadEvents {
        unread.withLock { $0.removeValue(forKey: hook.key) ?? UnreadEvents() }
    }

    /// How many events wait for these hooks that were never tried.
    public func untriedMessages(
        to hooks: [Hook], of folders: [String]
    ) throws(WatchError) -> Int {
        try use { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT count(*) FROM watch_hook WHERE tries = 0
                    AND hook IN (SELECT value FROM json_each(?1))
                    AND folder IN (SELECT value FROM json_each(?2))
                """, [.text(Self.list(hooks.map(\.key))), .text(Self.list(folders))]
            ) { Int($0.integer(0)) }.first ?? 0
        }
    }

    /// Notes that a hook was told an event, or never will be.
    public func finish(_ message: HookMessage) throws(WatchError) {
        try remove(message.sequence, message.event.id)
    }

    /// Notes that a hook could not be told, and is told again later.
    ///
    /// - Parameters:
    ///   - message: What failed.
    ///   - reason: Why.
    ///   - seconds: From now on.
    /// - Throws: `WatchError.store`.
    public func postpone(
        _ message: HookMessage, because reason: String, bySeconds seconds: Double
    ) throws(WatchError) {
        _ = try change { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE watch_hook SET tries = tries + 1, reason = ?2, due_at = ?3
                    WHERE sequence = ?1 AND event = ?4
                """,
                [
                    .integer(message.sequence), .text(reason), .real(now() + seconds),
                    .text(message.event.id),
                ])
        }
    }

    /// Drops what waits for other hooks than these in folders that are served here, and what nobody has served for long.
    ///
    /// Folders of other daemons with the same database are left alone.
    ///
    /// - Returns: How many events.
    public func dropMessages(
        toOthersThan hooks: [Hook], of folders: [String]
    ) throws(WatchError) -> Int {
        try change { (connection) throws(SQLError) in
            try connection.run(
                """
                DELETE FROM watch_hook WHERE CASE
                    WHEN folder IN (SELECT value FROM json_each(?2))
                    THEN hook NOT IN (SELECT value FROM json_each(?1))
                    ELSE max(created_at, due_at) < ?3 END
                """,
                [
                    .text(Self.list(hooks.map(\.key))), .text(Self.list(folders)),
                    .real(now() - Self.forgottenAfter),
                ])
        }
    }

    /// How many events of a hook were dropped since the last call, because too many waited.
    func takeOverflow(of hook: Hook) -> Int {
        overflow.withLock { $0.removeValue(forKey: hook.key) ?? 0 }
    }

    /// Part of the caller's transaction: the event is there when what it tells is.
    func write(_ notices: [OutboxEntry], _ connection: SQLiteConnection) throws(SQLError) {
        for notice in notices {
            for hook in notice.hooks { try write(notice, to: hook, connection) }
        }
    }

    private func write(
        _ notice: OutboxEntry, to hook: String, _ connection: SQLiteConnection
    ) throws(SQLError) {
        let event = notice.event
        let sequences = try connection.query(
            """
            INSERT OR IGNORE INTO watch_hook
                (hook, folder, line, event, body, created_at, due_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) RETURNING sequence
            """,
            [
                .text(hook), .text(event.folder), .text(event.source), .text(event.id),
                .text(notice.body), .real(now()),
            ]
        ) { $0.integer(0) }
        if let sequence = sequences.first, sequence % Self.countedAfter == 0 {
            try trim(connection)
        }
    }

    private func trim(_ connection: SQLiteConnection) throws(SQLError) {
        let full = try connection.query(
            "SELECT hook FROM watch_hook GROUP BY hook HAVING count(*) > ?1",
            [.integer(Self.mostHookEvents)]
        ) { $0.text(0) }
        for hook in full {
            let dropped = try connection.run(
                """
                DELETE FROM watch_hook WHERE hook = ?1 AND sequence <= (SELECT sequence
                    FROM watch_hook WHERE hook = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
                """, [.text(hook), .integer(Self.mostHookEvents)])
            overflow.withLock { $0[hook, default: 0] += dropped }
        }
    }

    /// A place that was given up may be another event's by now.
    private func remove(_ sequence: Int64, _ event: String) throws(WatchError) {
        _ = try change { (connection) throws(SQLError) in
            try connection.run(
                "DELETE FROM watch_hook WHERE sequence = ?1 AND event = ?2",
                [.integer(sequence), .text(event)])
        }
    }

    /// As SQLite's `json_each` reads it.
    private static func list(_ words: [String]) -> String {
        let bytes = try? JSONEncoder().encode(words)
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
}

/// A row of the table, whose event may be of another version.
private struct HookRow: Sendable {
    let sequence: Int64
    let event: String
    let createdAt: Double
    /// Whether it was never tried.
    let isNew: Bool
    let message: HookMessage?

    init(_ row: any SQLRow) {
        (sequence, self.event) = (row.integer(0), row.text(1))
        (createdAt, isNew) = (row.real(3), row.integer(5) == 0)
        let body = row.text(2)
        guard let event = try? JSONDecoder().decode(HookEvent.self, from: Data(body.utf8)) else {
            message = nil
            return
        }
        message = HookMessage(
            sequence: sequence, event: event, body: body, createdAt: row.real(3),
            dueAt: row.real(4), tries: Int(row.integer(5)))
    }
}
