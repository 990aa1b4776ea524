internal import Foundation
internal import TakeupLanes
internal import TakeupSQL
internal import TakeupSQLite

/// The rows of the cache: which results there are, of what, and until when.
///
/// Kept in the job store's database file over a connection of its own. Calls block and may come from any lane.
/// A write that was committed here survives a kill; it survives a power cut once the job store, which waits for
/// the disk, has committed after it, because both write the same log.
public final class Manifest: Sendable {
    /// The fewest characters of a key that stand for it.
    public static let shortestPrefix = 8

    /// Names the database; a cache directory belongs to one.
    public let databaseID: String
    /// Seconds since 1970.
    let now: @Sendable () -> Double
    /// Whether nothing can be written.
    let isReadOnly: Bool
    private let connection: Locked<any SQLConnection>

    /// Opens the database and brings its tables to the present version.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - now: Seconds since 1970.
    /// - Throws: `CacheError.store`.
    public init(path: String, now: @escaping @Sendable () -> Double) throws(CacheError) {
        do throws(SQLError) {
            let connection = try SQLiteConnection(path: path, durability: .normal)
            try Migrator(owner: "cache", scripts: Self.scripts).migrate(connection)
            try connection.run(
                "INSERT OR IGNORE INTO cache_database (one, uuid) VALUES (1, ?1)",
                [.text(UUID().uuidString.lowercased())])
            databaseID =
                try connection.query("SELECT uuid FROM cache_database") { $0.text(0) }.first ?? ""
            self.connection = Locked(connection)
        } catch {
            throw .store(error)
        }
        (self.now, isReadOnly) = (now, false)
    }

    /// Opens a database that is there for reading alone, as on a disk that is read-only.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - now: Seconds since 1970.
    /// - Throws: `CacheError.store`, also for one of another version.
    public init(
        reading path: String, now: @escaping @Sendable () -> Double
    ) throws(CacheError) {
        do throws(SQLError) {
            let connection = try SQLiteConnection(reading: path)
            guard try Migrator(owner: "cache", scripts: Self.scripts).isDone(in: connection) else {
                throw SQLError(
                    .migrate, code: 0, message: "it is of another version and cannot be written",
                    subject: path)
            }
            databaseID =
                try connection.query("SELECT uuid FROM cache_database") { $0.text(0) }.first ?? ""
            self.connection = Locked(connection)
        } catch {
            throw .store(error)
        }
        (self.now, isReadOnly) = (now, true)
    }

    private static let scripts = [
        String(decoding: PackageResources.migration_0001_cache_sql, as: UTF8.self),
        String(decoding: PackageResources.migration_0002_folder_sql, as: UTF8.self),
        String(decoding: PackageResources.migration_0003_limits_sql, as: UTF8.self),
    ]

    func use<Value: Sendable>(
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

    func change<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(CacheError) -> Value {
        try use { (connection) throws(SQLError) in
            try connection.transaction { () throws(SQLError) in try body(connection) }
        }
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
            ON CONFLICT (name) DO UPDATE SET value = value + excluded.value
            """, [.text(counter.rawValue), .integer(amount)])
    }
}
