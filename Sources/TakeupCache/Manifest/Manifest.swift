internal import Foundation
internal import TakeupLanes
public import TakeupSQL
internal import TakeupSQLite

/// The rows of the cache: which results exist, of what, and until when.
///
/// Uses a connection of its own to the job store's database. Calls block and may come from any lane. A write that was
/// committed here survives a kill. It survives a power cut once the job store, which waits for the disk, has committed
/// after it, because both write the same log.
public final class Manifest: Sendable {
    /// The fewest characters of a key that stand for it.
    public static let shortestPrefix = 8

    /// Names the database; a cache directory belongs to one.
    public let databaseID: String
    /// Seconds since 1970.
    package let now: @Sendable () -> Double
    /// Whether nothing can be written.
    package let isReadOnly: Bool
    private let connection: Locked<any SQLConnection>
    /// What is known of this machine's files; the same connection if the database is a file of this machine.
    private let local: Locked<any SQLConnection>
    /// nil for a server.
    private let file: DatabaseFile?
    /// The folder or bucket that this process works on; nil before one was claimed.
    let ownFolder = Locked<KnownFolder?>(nil)

    /// Opens the cache's tables in an SQLite file, and makes what is missing.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - now: Seconds since 1970.
    /// - Throws: `CacheError.store`.
    public convenience init(
        path: String, now: @escaping @Sendable () -> Double
    ) throws(CacheError) {
        try self.init(SQLiteDatabase(path: path), now: now)
    }

    /// Opens the cache's tables in a database, and makes what is missing.
    ///
    /// - Parameters:
    ///   - database: Workers of one queue share it.
    ///   - local: An SQLite file for the hashes of this machine's files; nil if `database` is such a file.
    ///   - now: Seconds since 1970.
    /// - Throws: `CacheError.store`.
    public init(
        _ database: any SQLDatabase, local: String? = nil, now: @escaping @Sendable () -> Double
    ) throws(CacheError) {
        do throws(SQLError) {
            let connection = try Self.open(database)
            try connection.run(
                "INSERT INTO cache_database (one, uuid) VALUES (1, ?1) ON CONFLICT DO NOTHING",
                [.text(UUID().uuidString.lowercased())])
            databaseID = try Self.id(in: connection)
            let shared = Locked(connection)
            self.connection = shared
            if let local {
                self.local = Locked(try Self.open(SQLiteDatabase(path: local)))
            } else {
                self.local = shared
            }
            file = try DatabaseFile(of: database)
        } catch {
            throw .store(error)
        }
        (self.now, isReadOnly) = (now, false)
    }

    /// Whether a database has the cache's tables; makes none.
    ///
    /// - Throws: `CacheError.store`.
    public static func isMade(in database: any SQLDatabase) throws(CacheError) -> Bool {
        do throws(SQLError) {
            let connection = try database.connect(.normal)
            return try migrator(connection.dialect).isBegun(in: connection)
        } catch {
            throw .store(error)
        }
    }

    private static func open(
        _ database: any SQLDatabase
    ) throws(SQLError) -> any SQLConnection {
        let connection = try database.connect(.normal)
        try migrator(connection.dialect).migrate(connection)
        return connection
    }

    private static func id(in connection: any SQLConnection) throws(SQLError) -> String {
        try connection.query("SELECT uuid FROM cache_database") { $0.text(0) }.first ?? ""
    }

    /// Opens an SQLite file for reading alone, as on a disk that is read-only.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - now: Seconds since 1970.
    /// - Throws: `CacheError.store`, also for a file of another version.
    public init(
        reading path: String, now: @escaping @Sendable () -> Double
    ) throws(CacheError) {
        do throws(SQLError) {
            let connection = try SQLiteConnection(reading: path)
            guard try Self.migrator(.sqlite).isDone(in: connection) else {
                throw SQLError(
                    .migrate, code: 0, message: "it is of another version and cannot be written",
                    database: path)
            }
            databaseID = try Self.id(in: connection)
            self.connection = Locked(connection)
            local = self.connection
            file = try DatabaseFile(of: SQLiteDatabase(path: path))
        } catch {
            throw .store(error)
        }
        (self.now, isReadOnly) = (now, true)
    }

    /// Its tables, and how they are made.
    package static func migrator(_ dialect: SQLDialect) -> Migrator {
        let scripts =
            switch dialect {
            case .sqlite:
                [
                    PackageResources.migration_0001_cache_sql,
                    PackageResources.migration_0002_folder_sql,
                    PackageResources.migration_0003_limits_sql,
                ]
            case .postgres: [PackageResources.postgres_0001_cache_sql]
            }
        return Migrator(
            owner: "cache", scripts: scripts.map { String(decoding: $0, as: UTF8.self) })
    }

    func use<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(CacheError) -> Value {
        try Self.use(connection, body)
    }

    /// As `use`, for what is about this machine's files.
    func useLocal<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(CacheError) -> Value {
        try Self.use(local, body)
    }

    private static func use<Value: Sendable>(
        _ connection: Locked<any SQLConnection>,
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(CacheError) -> Value {
        do throws(SQLError) {
            return try connection.withLock { (connection) throws(SQLError) -> Value in
                try body(connection)
            }
        } catch {
            throw .store(error)
        }
    }

    /// Writes in one transaction.
    ///
    /// - Throws: `CacheError.store`, also where the file has lost its name: nobody ever reads what was written there.
    func change<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(CacheError) -> Value {
        let value = try use { (connection) throws(SQLError) in
            try connection.transaction { () throws(SQLError) in try body(connection) }
        }
        try requirePlace()
        return value
    }

    /// - Throws: `CacheError.store` if the database's file has lost its name.
    func requirePlace() throws(CacheError) {
        do throws(SQLError) { try file?.requirePlace() } catch { throw .store(error) }
    }

    /// Adds to several sums at once.
    func add(_ amounts: [CacheCounter: Int64]) throws(CacheError) {
        _ = try change { (connection) throws(SQLError) in
            for (counter, amount) in amounts { try Self.add(amount, to: counter, connection) }
        }
    }

    static func add(
        _ amount: Int64, to counter: CacheCounter, _ connection: any SQLConnection
    ) throws(SQLError) {
        try connection.run(
            """
            INSERT INTO cache_counter (name, value) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET value = cache_counter.value + excluded.value
            """, [.text(counter.rawValue), .integer(amount)])
    }
}
