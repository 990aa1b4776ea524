internal import Foundation
internal import TakeupFiles
internal import TakeupLanes
internal import TakeupSQL
internal import TakeupSQLite

/// What is known of the files of watched folders, for good.
///
/// Kept in the job store's database file over a connection of its own; a write is on the disk when its call returns.
/// Calls block and may come from any lane.
public final class WatchLedger: Sendable {
    /// Seconds since 1970.
    public let now: @Sendable () -> Double
    /// Events that were dropped because too many waited, by their hook.
    let overflow = Locked<[String: Int]>([:])
    /// Events that this version cannot read, by their hook.
    let unread = Locked<[String: UnreadEvents]>([:])
    private let connection: Locked<SQLiteConnection>

    /// Opens the database and brings its tables to the present version.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - now: Seconds since 1970.
    /// - Throws: `WatchError.store`, as all its calls do.
    public init(path: String, now: @escaping @Sendable () -> Double) throws(WatchError) {
        do throws(SQLError) {
            let connection = try SQLiteConnection(path: path, durability: .full)
            try Self.migrator.migrate(connection)
            (self.connection, self.now) = (Locked(connection), now)
        } catch {
            throw .store(error)
        }
    }

    /// Opens a database that has these tables in their present version, and makes none.
    ///
    /// Returns nil if the file does not exist, or if another version of Takeup made its tables.
    ///
    /// - Parameters:
    ///   - path: As above.
    ///   - now: As above.
    /// - Throws: As above.
    public init?(
        madeAt path: String, now: @escaping @Sendable () -> Double
    ) throws(WatchError) {
        guard !Folder.isAbsent(path) else { return nil }
        do throws(SQLError) {
            let connection = try SQLiteConnection(path: path, durability: .full)
            guard try Self.migrator.isDone(in: connection) else { return nil }
            (self.connection, self.now) = (Locked(connection), now)
        } catch {
            throw .store(error)
        }
    }

    private static var migrator: Migrator { Migrator(owner: "watch", scripts: scripts) }

    private static let scripts = [
        PackageResources.migration_0001_watch_sql, PackageResources.migration_0002_hooks_sql,
        PackageResources.migration_0003_facts_sql, PackageResources.migration_0004_doubt_sql,
        PackageResources.migration_0005_settings_sql,
    ].map { String(decoding: $0, as: UTF8.self) }

    func use<Value: Sendable>(
        _ body: (SQLiteConnection) throws(SQLError) -> Value
    ) throws(WatchError) -> Value {
        do throws(SQLError) {
            return try connection.withLock { (connection) throws(SQLError) -> Value in
                try body(connection)
            }
        } catch {
            throw .store(error)
        }
    }

    func change<Value: Sendable>(
        _ body: (SQLiteConnection) throws(SQLError) -> Value
    ) throws(WatchError) -> Value {
        try use { (connection) throws(SQLError) in
            try connection.transaction { () throws(SQLError) in try body(connection) }
        }
    }
}

extension WatchLedger {
    /// What a folder was when it was seen last, in the words of who looked; nil for a new one.
    public func memory(of folder: String) throws(WatchError) -> String? {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT memory FROM watch_folder WHERE path = ?1", [.text(folder)]
            ) { $0.text(0) }.first
        }
    }

    /// What a folder of outputs was when it was seen last; nil for a new one.
    public func outputMemory(of folder: String) throws(WatchError) -> RootMemory? {
        try use { (connection) throws(SQLError) in
            try connection.query(
                "SELECT memory FROM watch_output WHERE path = ?1", [.text(folder)]
            ) { $0.text(0) }.first
        }.flatMap { try? JSONDecoder().decode(RootMemory.self, from: Data($0.utf8)) }
    }

    public func forgetOutput(_ folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run("DELETE FROM watch_output WHERE path = ?1", [.text(folder)])
        }
    }

    public func remember(output memory: RootMemory, of folder: String) throws(WatchError) {
        guard let text = try? JSONEncoder().encode(memory) else { return }
        _ = try use { (connection) throws(SQLError) in
            try connection.run(
                "INSERT OR REPLACE INTO watch_output (path, memory) VALUES (?1, ?2)",
                [.text(folder), .text(String(decoding: text, as: UTF8.self))])
        }
    }

    public func remember(_ memory: String, of folder: String) throws(WatchError) {
        _ = try use { (connection) throws(SQLError) in
            try connection.run(
                "INSERT OR REPLACE INTO watch_folder (path, memory, seen_at) VALUES (?1, ?2, ?3)",
                [.text(folder), .text(memory), .real(now())])
        }
    }
}
