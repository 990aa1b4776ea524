internal import CTakeupSQLite
internal import Foundation
public import TakeupSQL

/// One open database file.
///
/// Confined to one lane at a time; share it behind a `Locked`.
public final class SQLiteConnection: SQLConnection {
    /// How long a statement waits at least for another connection's lock, in milliseconds.
    public static let busyMilliseconds: Int32 = 10_000

    public let dialect = SQLDialect.sqlite
    public let path: String
    public var name: String { path }
    private var database: OpaquePointer?
    private var statements: [String: Statement] = [:]
    /// Statements that stay prepared.
    private static let mostStatements = 500
    public var nesting = 0
    private var durability: SQLDurability

    /// Opens a database with a write-ahead log, making an empty one where there is none; a symbolic link of its name is
    /// not followed.
    ///
    /// - Throws: `SQLError` with `.open` or `.configure`.
    public init(path: String, durability: SQLDurability) throws(SQLError) {
        (self.path, self.durability) = (path, durability)
        let place = Self.resolved(path)
        // A new one is for its user alone, whoever opens it first; SQLite gives its log the same rights.
        _ = mknod(place, S_IFREG | 0o600, 0)
        try open(place, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        do {
            try useWriteAheadLog()
            try execute("PRAGMA synchronous = \(Self.level(durability))")
            try execute("PRAGMA foreign_keys = ON")
            try execute("PRAGMA trusted_schema = OFF")
            try execute("PRAGMA journal_size_limit = 67108864")
        } catch {
            // `deinit` runs: every property is set.
            throw SQLError(
                .configure, error.kind, code: error.code, message: error.message, database: path)
        }
    }

    /// Opens a database that is there for reading alone, also on a disk that is read-only.
    ///
    /// - Throws: `SQLError` with `.open` or `.step`.
    public init(reading path: String) throws(SQLError) {
        (self.path, durability) = (path, .normal)
        let place = Self.resolved(path)
        do throws(SQLError) {
            try open(place, SQLITE_OPEN_READONLY)
            try execute("SELECT 1 FROM sqlite_schema")
        } catch {
            // The index of its log cannot be made there. Without a log nobody needs one, and nobody writes.
            guard !error.isDamaged, FileManager.default.fileExists(atPath: place),
                Self.hasNoLog(place)
            else { throw error }
            sqlite3_close_v2(database)
            database = nil
            let allowed = CharacterSet.urlPathAllowed
            let name = place.addingPercentEncoding(withAllowedCharacters: allowed) ?? place
            try open("file:\(name)?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
        }
    }

    private func open(_ place: String, _ access: Int32) throws(SQLError) {
        let flags =
            access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(place, &database, flags, nil)
        guard code == SQLITE_OK else {
            let message = String(cString: sqlite3_errstr(code))
            // Closed in `deinit`.
            throw SQLError(.open, code: code, message: message, database: path)
        }
        // SQLite's own handler looks ten times a second in the end, and starves beside busy writers.
        sqlite3_busy_handler(
            database,
            { _, looks in
                guard looks < SQLiteConnection.busyMilliseconds else { return 0 }
                sqlite3_sleep(1)
                return 1
            }, nil)
    }

    private static func hasNoLog(_ path: String) -> Bool {
        var facts = stat()
        return stat("\(path)-wal", &facts) == 0 ? facts.st_size == 0 : errno == ENOENT
    }

    /// The folder's own path, since SQLite would refuse links on the way as it refuses one of the file.
    private static func resolved(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        guard let real = realpath(folder, nil) else { return path }
        defer { free(real) }
        let name = path[path.utf8.index(after: slash)...]
        let parent = String(cString: real)
        return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
    }

    /// Two that open a new database at once may each wait for the other's lock: SQLite then refuses one of them without
    /// asking its busy handler.
    private func useWriteAheadLog() throws(SQLError) {
        let deadline = ContinuousClock.now + .milliseconds(Self.busyMilliseconds)
        while true {
            do throws(SQLError) {
                return try execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.isBusy, ContinuousClock.now < deadline else { throw error }
                sqlite3_sleep(1)
            }
        }
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(database)
    }

    private static func level(_ durability: SQLDurability) -> String {
        switch durability {
        case .full: "FULL"
        case .normal, .local: "NORMAL"
        }
    }

    /// Says what the transactions from now on survive; call it outside of one.
    ///
    /// - Throws: `SQLError` with `.step`.
    public func set(_ durability: SQLDurability) throws(SQLError) {
        guard durability != self.durability else { return }
        precondition(nesting == 0, "SQLite changes it between transactions only")
        try execute("PRAGMA synchronous = \(Self.level(durability))")
        self.durability = durability
    }

    /// Rows that the last statement inserted, changed or deleted.
    public var changedRows: Int { Int(sqlite3_changes(database)) }

    /// Runs statements that have no parameters, one after the other.
    public func execute(_ script: String) throws(SQLError) {
        try requireTransaction(script)
        guard sqlite3_exec(database, script, nil, nil, nil) == SQLITE_OK else {
            throw failure(.step, script)
        }
    }

    /// Runs one statement.
    ///
    /// - Returns: How many rows it inserted, changed or deleted.
    @discardableResult
    public func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int {
        _ = try query(sql, values) { _ in }
        return changedRows
    }

    public func runLater(_ sql: String, _ values: [SQLValue]) throws(SQLError) {
        try run(sql, values)
    }

    /// In a file, what is seen is durable.
    public func confirm() {}

    /// Runs one statement and reads its rows.
    ///
    /// - Parameters:
    ///   - sql: With places `?1`, `?2`, … or `?`.
    ///   - values: One for each place.
    ///   - read: Copies out what it needs of one row.
    /// - Returns: What `read` made of each row, in order.
    /// - Throws: `SQLError` with `.prepare` or `.step`.
    public func query<Value>(
        _ sql: String, _ values: [SQLValue],
        _ read: (any SQLRow) -> Value
    ) throws(SQLError) -> [Value] {
        try requireTransaction(sql)
        let statement = try prepared(sql)
        statement.bind(values)
        defer { statement.reset() }
        var found: [Value] = []
        while true {
            switch sqlite3_step(statement.raw) {
            case SQLITE_ROW: found.append(read(SQLiteRow(statement.raw)))
            case SQLITE_DONE: return found
            default: throw failure(.step, sql)
            }
        }
    }

    /// SQLite takes back a whole transaction where the disk is full: nothing more may be written as if it went on.
    private func requireTransaction(_ sql: String) throws(SQLError) {
        guard nesting > 0, sqlite3_get_autocommit(database) != 0 else { return }
        throw SQLError(
            .step, code: SQLITE_ABORT, message: "the transaction was taken back",
            database: path, statement: sql)
    }

    private func prepared(_ sql: String) throws(SQLError) -> Statement {
        if let known = statements[sql] { return known }
        guard let database else { preconditionFailure("an open connection has a database") }
        let statement = try Statement(sql, on: database, of: path)
        // Texts with lists of names are many.
        if statements.count >= Self.mostStatements { statements = [:] }
        statements[sql] = statement
        return statement
    }

    private func failure(_ operation: SQLError.Operation, _ sql: String) -> SQLError {
        SQLError(
            operation, code: sqlite3_extended_errcode(database),
            message: String(cString: sqlite3_errmsg(database)), database: path, statement: sql)
    }
}
