internal import Foundation
public import TakeupFiles
internal import TakeupLanes
public import TakeupSQL
internal import TakeupSQLite

/// The queue in a database: an SQLite file, or a PostgreSQL server that several machines share.
///
/// State reaches the disk before a call returns. Claims and heartbeats survive a kill, not a power cut: that ends every
/// worker of the machine, and with it every lease. Looks and heartbeats wait for no commit: they have connections of their
/// own, and a claim looks on the writers' only while that is free.
public final class SQLJobStore: JobStore {
    public typealias StoreFailure = JobStoreError
    /// Gets the ids that from now on mean other work than before, inside the transaction that accepts it.
    public typealias NewWork = @Sendable ([JobID], any SQLConnection) throws(SQLError) -> Void

    /// What messages call the database.
    public let name: String
    /// The file's folder, which every worker of the queue sees; nil for a server.
    public let folder: String?
    public let retryPolicy: RetryPolicy
    /// Seconds since 1970, by the clock that all users of the database share.
    public let now: @Sendable () -> Double
    let random: @Sendable () -> Double
    let onNewWork: NewWork
    /// Tells other processes of work, and hears of theirs.
    public let wakeUps: WakeUps
    /// Claims and ends whose commit was not confirmed, by token.
    let unsettled = UnsettledWrites()
    let known = Locked(KnownWork())
    let clock: DatabaseClock
    /// The file when it was opened; nil for a server.
    let file: DatabaseFile?
    private let looks: Locked<any SQLConnection>
    private let writes: GroupCommit
    private let beats: Locked<any SQLConnection>
    let signs: Locked<any SQLConnection>

    /// Opens the queue in a file, making the file and its folder where there is none.
    ///
    /// - Parameters:
    ///   - path: The database file.
    ///   - retryPolicy: When a failed job runs again.
    ///   - now: Seconds since 1970; nil for the database's own clock.
    ///   - random: Evenly spread, from 0 up to 1; for the jitter of retries.
    ///   - kind: What file system a folder is on; see `FileSystemKind`.
    ///   - onNewWork: Forgets what the ids of new jobs named before.
    /// - Throws: `JobStoreError`.
    public convenience init(
        path: String, retryPolicy: RetryPolicy = RetryPolicy(),
        now: (@Sendable () -> Double)? = nil,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        kind: (String) -> String? = FileSystemKind.shared,
        onNewWork: @escaping NewWork = { _, _ in }
    ) throws(JobStoreError) {
        try Self.prepare(path, kind)
        try self.init(
            SQLiteDatabase(path: path), retryPolicy: retryPolicy, now: now, random: random,
            onNewWork: onNewWork)
    }

    /// Opens the queue in a database that is there, making its tables where they are missing.
    ///
    /// - Throws: `JobStoreError`.
    public init(
        _ database: any SQLDatabase, retryPolicy: RetryPolicy = RetryPolicy(),
        now: (@Sendable () -> Double)? = nil,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        onNewWork: @escaping NewWork = { _, _ in }
    ) throws(JobStoreError) {
        (name, self.retryPolicy, self.onNewWork) = (database.name, retryPolicy, onNewWork)
        folder = (database as? SQLiteDatabase).map { Folder.containing($0.path) }
        let clock = DatabaseClock()
        self.clock = clock
        (self.now, self.random) = (now ?? { clock.now() }, random)
        do throws(SQLError) {
            let connection = try database.connect(.local)
            let migrator = Self.migrator(connection.dialect)
            if try !migrator.isDone(in: connection) {
                try migrator.migrate(database.connect(.full))
            }
            try clock.settle(connection)
            wakeUps = try WakeUps(database, connection)
            let isServer = connection.dialect == .postgres
            looks = Locked(connection)
            signs = isServer ? Locked(LateConnection(database, .local)) : looks
            writes = GroupCommit(
                isServer ? LateConnection(database, .full) : try database.connect(.full))
            beats = Locked(
                isServer ? LateConnection(database, .local) : try database.connect(.local))
            file = try DatabaseFile(of: database)
        } catch {
            throw .store(error)
        }
    }

    /// Seconds until a job may start that waits for its time, as the last claim that got none has seen it; nil where none
    /// does.
    public var secondsToKnownStart: Double? {
        known.withLock(\.start).map { max(0, $0 - now()) }
    }

    /// Whether that claim saw a job that waits for the end of another.
    public var isBlocked: Bool { known.withLock(\.isBlocked) }

    /// Whether the file that was opened has its name still; a file without a name takes writes that nobody ever reads.
    public var isInPlace: Bool { file?.isInPlace ?? true }

    /// Whether a database has a queue; makes none.
    ///
    /// - Throws: `JobStoreError.store`.
    public static func isMade(in database: any SQLDatabase) throws(JobStoreError) -> Bool {
        do throws(SQLError) {
            let connection = try database.connect(.normal)
            return try migrator(connection.dialect).isBegun(in: connection)
        } catch {
            throw .store(error)
        }
    }

    /// Its tables, and how they are made.
    package static func migrator(_ dialect: SQLDialect) -> Migrator {
        let scripts =
            switch dialect {
            case .sqlite:
                [
                    PackageResources.migration_0001_jobs_sql,
                    PackageResources.migration_0002_clocks_and_lists_sql,
                    PackageResources.migration_0003_search_sql,
                    PackageResources.migration_0004_fleet_sql,
                    PackageResources.migration_0005_groups_sql,
                ]
            case .postgres:
                [
                    PackageResources.postgres_0001_jobs_sql,
                    PackageResources.postgres_0002_search_sql,
                    PackageResources.postgres_0003_fleet_sql,
                    PackageResources.postgres_0004_groups_sql,
                ]
            }
        return Migrator(
            owner: "jobs", scripts: scripts.map { String(decoding: $0, as: UTF8.self) })
    }

    /// Sees that no newer program has changed the tables since they were opened.
    ///
    /// - Throws: `SQLError` with `.laterVersion`.
    static func requireKnownTables(_ connection: any SQLConnection) throws(SQLError) {
        _ = try migrator(connection.dialect).isKnown(in: connection)
    }

    /// Makes the folder 0700 and the file 0600 where there is none yet.
    ///
    /// - Throws: `JobStoreError` for a file that another user could change, and for a shared file system.
    package static func prepare(
        _ path: String, _ kind: (String) -> String? = FileSystemKind.shared
    ) throws(JobStoreError) {
        let folder = Folder.containing(path)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .notPermitted(path: folder, reason: "the folder cannot be made")
        }
        if let kind = kind(folder) { throw .networkFileSystem(path: path, kind: kind) }
        // Never opened here: closing it would drop the locks that this process holds on it.
        guard mknod(path, S_IFREG | 0o600, 0) != 0 else { return }
        guard errno == EEXIST else { throw .notPermitted(path: path, reason: words(errno)) }
        try check(path)
        guard access(path, R_OK | W_OK) == 0 else {
            throw .notPermitted(path: path, reason: words(errno))
        }
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// A link leads to whatever who made it likes, and another user may change his file at any time.
    private static func check(_ path: String) throws(JobStoreError) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            throw .notPermitted(path: path, reason: words(errno))
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw .notPermitted(path: path, reason: "it is a symbolic link")
        default: throw .notPermitted(path: path, reason: "it is not a regular file")
        }
        guard facts.st_uid == geteuid() else {
            throw .notPermitted(path: path, reason: "it belongs to another user")
        }
    }

    /// Makes a fence that holds while a lease does, for what another module writes into the same database.
    public func fence(_ lease: Lease) -> SQLFence {
        { (connection) throws(SQLError) in
            try !connection.query(
                """
                SELECT 1 FROM job WHERE id = ?1 AND token = ?2 AND state = 'running'
                \(connection.dialect.kept)
                """,
                [.text(lease.job.rawValue), .integer(lease.token)]
            ) { _ in true }.isEmpty
        }
    }

    /// Tells the workers of other processes that a job waits.
    func tellOfWork() {
        guard wakeUps.isPossible else { return }
        looks.withLock { wakeUps.tell($0) }
    }

    /// Reads, beside any commit.
    func look<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(JobStoreError) -> Value {
        do throws(SQLError) {
            return try looks.withLock { (connection) throws(SQLError) -> Value in
                try clock.settle(connection)
                return try body(connection)
            }
        } catch {
            throw .store(error)
        }
    }

    /// Reads for a claim: on a server, on the connection that then writes it, if that is free.
    func lookAhead<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(JobStoreError) -> Value {
        guard file == nil else { return try look(body) }
        do throws(SQLError) {
            let value = try writes.look { (connection) throws(SQLError) -> Value in
                try clock.settle(connection)
                return try body(connection)
            }
            if let value { return value }
        } catch {
            throw .store(error)
        }
        return try look(body)
    }

    /// Writes state, in one transaction.
    ///
    /// - Throws: Also where the file has lost its name: nobody ever reads what was written there.
    func change<Value: Sendable>(
        _ locking: SQLLocking = .writers, _ body: @escaping GroupCommit.Body<Value>
    ) throws(JobStoreError) -> Value {
        let value = try write(.full, locking, body)
        try requirePlace()
        return value
    }

    /// - Throws: `JobStoreError.gone` where the file has lost its name.
    func requirePlace() throws(JobStoreError) {
        guard isInPlace else { throw .gone(path: name) }
    }

    /// Writes what ends with this machine, in one transaction.
    func lease<Value: Sendable>(
        _ body: @escaping GroupCommit.Body<Value>
    ) throws(JobStoreError) -> Value {
        try write(.normal, .rows, body)
    }

    private func write<Value: Sendable>(
        _ durability: SQLDurability, _ locking: SQLLocking,
        _ body: @escaping GroupCommit.Body<Value>
    ) throws(JobStoreError) -> Value {
        do throws(SQLError) {
            return try writes.write(durability, locking, body)
        } catch {
            throw .store(error)
        }
    }

    /// As `lease`, on the heartbeats' connection.
    func beat<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(JobStoreError) -> Value {
        do throws(SQLError) {
            return try beats.withLock { (connection) throws(SQLError) -> Value in
                try clock.settle(connection)
                return try connection.transaction(.rows) { () throws(SQLError) in
                    try body(connection)
                }
            }
        } catch {
            throw .store(error)
        }
    }
}
