/// What a committed transaction survives.
public enum SQLDurability: String, Sendable {
    /// A power cut, where the disk keeps its word.
    case full
    /// A kill of the process; a power cut may take the last ones, never damage the database.
    ///
    /// On a server the same as `full`: it may crash while the workers live, which then go on from what it has lost.
    case normal
    /// As `normal`, but no commit waits for a server's standbys: a failover may take the last ones.
    ///
    /// For signs of life, which are soon given again.
    case local
}

/// A database that connections can be opened to.
public protocol SQLDatabase: Sendable {
    /// What messages call it: a path, or an address without its secrets.
    var name: String { get }

    /// Opens one more connection.
    ///
    /// - Throws: `SQLError` with `.open` or `.configure`.
    func connect(_ durability: SQLDurability) throws(SQLError) -> any SQLConnection

    /// Hears what other processes tell on a channel; nil where nobody can tell, so that one has to look.
    ///
    /// - Throws: `SQLError` with `.open` or `.configure`.
    func listen(to channel: String) throws(SQLError) -> (any SQLListener)?
}

extension SQLDatabase {
    public func listen(to channel: String) throws(SQLError) -> (any SQLListener)? { nil }
}

/// A connection that waits for what others tell.
///
/// Confined to one lane at a time.
public protocol SQLListener: AnyObject {
    /// Blocks until something was told, or for so many seconds.
    ///
    /// - Returns: Whether something was told.
    /// - Throws: `SQLError` where the connection is lost: nobody knows what was told until then.
    func wait(seconds: Double) throws(SQLError) -> Bool
}

/// One open connection to a database.
///
/// Confined to one lane at a time; share it behind a `Locked`.
public protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }
    /// As the database's.
    var name: String { get }

    /// Says what the transactions from now on survive; call it outside of one.
    ///
    /// - Throws: `SQLError` with `.step`.
    func set(_ durability: SQLDurability) throws(SQLError)

    /// Runs statements that have no parameters, one after the other.
    func execute(_ script: String) throws(SQLError)

    /// Runs one statement.
    ///
    /// - Returns: How many rows it inserted, changed or deleted.
    @discardableResult
    func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int

    /// Runs one statement of a transaction no later than the next one, or than the transaction's end.
    ///
    /// On a server this saves a way. What is wrong with it may be thrown there.
    func runLater(_ sql: String, _ values: [SQLValue]) throws(SQLError)

    /// Asks for a number no later than with the next statement of a transaction.
    ///
    /// On a server this saves a way. What is wrong with it may be thrown there.
    ///
    /// - Parameter sql: Answers one row, which begins with the number; has no places.
    /// - Returns: Reads the number, before the transaction ends.
    /// - Throws: `SQLError` with `.prepare` or `.step`.
    func numberLater(_ sql: String) throws(SQLError) -> () throws(SQLError) -> Int64

    /// Says that the commit waits until the server's standbys have what the transaction has seen, also if it has written nothing.
    func confirm()

    /// Runs one statement and reads its rows.
    ///
    /// - Parameters:
    ///   - sql: With places `?1`, `?2`, … or `?`.
    ///   - values: One for each place.
    ///   - read: Copies out what it needs of one row.
    /// - Returns: What `read` made of each row, in order.
    /// - Throws: `SQLError` with `.prepare` or `.step`.
    func query<Value>(
        _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) -> Value
    ) throws(SQLError) -> [Value]

    /// Runs one writing statement that is in no transaction of the caller's, with the connection's durability.
    func alone<Value>(_ body: () throws(SQLError) -> Value) throws(SQLError) -> Value

    /// How many transactions are open, one in the other; `transaction` counts.
    var nesting: Int { get set }
}

/// What else may be written while a transaction writes.
public enum SQLLocking: Sendable, Comparable {
    /// Anything: the transaction's own statements lock the rows that they decide about. SQLite has one writer all the same.
    case rows
    /// Nothing by a transaction of the same kind.
    case writers
}

extension SQLConnection {
    public func alone<Value>(
        _ body: () throws(SQLError) -> Value
    ) throws(SQLError) -> Value {
        try body()
    }

    /// Runs `body` as one transaction; inside another one, as a savepoint.
    ///
    /// - Parameters:
    ///   - locking: What else may be written at the same time.
    ///   - body: Writes.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, after everything that it wrote was taken back; an error with `isOutcomeUnknown`
    ///   where the commit was sent and not confirmed.
    @discardableResult
    public func transaction<Value>(
        _ locking: SQLLocking = .writers, _ body: () throws(SQLError) -> Value
    ) throws(SQLError) -> Value {
        let savepoint = nesting == 0 ? nil : "nested_\(nesting)"
        let undo = savepoint.map { "ROLLBACK TO \($0); RELEASE \($0)" } ?? "ROLLBACK"
        do throws(SQLError) {
            try execute(savepoint.map { "SAVEPOINT \($0)" } ?? dialect.begin(locking))
        } catch {
            // A server may have begun before it refused the lock. One that is away has nothing to undo.
            if !error.isUnreachable { try? execute(undo) }
            throw error
        }
        nesting += 1
        defer { nesting -= 1 }
        do throws(SQLError) {
            let value = try body()
            if let savepoint { try execute("RELEASE \(savepoint)") } else { try commit() }
            return value
        } catch {
            // The engine may have taken all back already; then this has nothing to do.
            try? execute(undo)
            throw error
        }
    }

    private func commit() throws(SQLError) {
        do throws(SQLError) {
            try execute("COMMIT")
        } catch {
            throw error.isUnreachable ? error.withUnknownOutcome : error
        }
    }

    @discardableResult
    public func run(_ sql: String) throws(SQLError) -> Int { try run(sql, []) }

    /// Asks at once.
    public func numberLater(_ sql: String) throws(SQLError) -> () throws(SQLError) -> Int64 {
        let number = try query(sql, []) { $0.integer(0) }.first ?? 0
        return { () throws(SQLError) in number }
    }

    public func query<Value>(
        _ sql: String, _ read: (any SQLRow) -> Value
    ) throws(SQLError) -> [Value] { try query(sql, [], read) }
}

/// One row of an answer, read by column, counted from 0.
///
/// Valid only inside the closure that it is given to.
public protocol SQLRow {
    func isNull(_ column: Int) -> Bool
    /// - Returns: 0 for null.
    func integer(_ column: Int) -> Int64
    /// - Returns: 0 for null.
    func real(_ column: Int) -> Double
    /// - Returns: Empty for null.
    func text(_ column: Int) -> String
    /// - Returns: False for null.
    func flag(_ column: Int) -> Bool
}

extension SQLRow {
    public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    public func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }

    public func optionalInteger(_ column: Int) -> Int64? {
        isNull(column) ? nil : integer(column)
    }
}
