internal import CTakeupPostgres
internal import Foundation
internal import TakeupSQL

/// One connection to a PostgreSQL server; opened again where the server ended it between two transactions.
final class PostgresConnection: SQLConnection {
    let dialect = SQLDialect.postgres
    let name: String
    var nesting = 0
    private let address: String
    let durability: SQLDurability
    private(set) var connection: OpaquePointer
    private var isBroken = false
    private var backoff = ReconnectBackoff()
    /// Whether a pooler may give each transaction another connection to the server.
    private(set) var isPooled = false
    /// Whether commits wait for standbys, as the server said when it was connected to, or when such a wait was cancelled.
    var awaitsStandbys = false
    /// Whether the transaction's commit confirms what it has seen.
    var isConfirming = false
    /// Whether the last commit stands on this server alone.
    let standbyWait = StandbyWait()
    private var statements: [String: String] = [:]
    var prepared = PreparedStatements()
    private let onSlowAnswer: (@Sendable (String) -> Void)?
    /// What goes to the server together with the next statement, which is one way less: a transaction's begin, and what
    /// may be answered later.
    var held: [PostgresMessage] = []

    init(
        address: String, name: String, _ durability: SQLDurability,
        onSlowAnswer: (@Sendable (String) -> Void)? = nil
    ) throws(SQLError) {
        (self.address, self.name, self.durability) = (address, name, durability)
        self.onSlowAnswer = onSlowAnswer
        connection = try Self.open(address, name, standbyWait)
        try configure()
    }

    deinit { takeup_PQfinish(connection) }

    private func configure() throws(SQLError) {
        do throws(SQLError) {
            let server = try query(
                """
                SELECT pg_backend_pid(), current_setting('server_encoding'),
                    current_setting('synchronous_standby_names') <> ''
                """, []
            ) { ($0.integer(0), $0.text(1), $0.flag(2)) }.first
            awaitsStandbys = server?.2 ?? false
            // A pooler, such as PgBouncer, invents the number of the server's process that it tells a client.
            isPooled = server?.0 != Int64(takeup_PQbackendPID(connection))
            try Self.requireText(in: server?.1 ?? "", name)
            // Settings of a session would reach whoever gets the pooler's connection next.
            guard !isPooled else { return }
            try execute(PostgresSettings.session(durability))
        } catch {
            throw SQLError(
                .configure, error.kind, code: error.code, message: error.message, database: name)
        }
    }

    /// Everything is as durable as the connection was opened; see `SQLDurability.normal`.
    func set(_ durability: SQLDurability) {}

    func send(_ script: String) -> PostgresAnswer {
        guard takeup_PQsendQuery(connection, script) != 0 else { return PostgresAnswer(nil) }
        awaitAnswer()
        var last = PostgresAnswer(nil)
        while let result = takeup_PQgetResult(connection) { last = PostgresAnswer(result) }
        return last
    }

    /// Tells where the server does not answer soon: it waits for a lock, or a commit for its standbys.
    func awaitAnswer() {
        guard let onSlowAnswer else { return }
        var place = pollfd(fd: takeup_PQsocket(connection), events: Int16(POLLIN), revents: 0)
        if poll(&place, 1, Self.slowMilliseconds) == 0 { onSlowAnswer(name) }
    }

    private static let slowMilliseconds: Int32 = 5_000

    /// Known once something was sent: a server that was restarted has ended the connection without a word.
    var isLost: Bool {
        isBroken || takeup_PQstatus(connection) != Int32(takeup_pg_connection_ok)
    }

    /// Notes that the connection cannot be used any more.
    ///
    /// That is so where libpq itself, and not the server, says an error: only that has no code. After a write that failed
    /// libpq still calls the connection good.
    func noted(_ answer: PostgresAnswer) -> PostgresAnswer {
        if !answer.isSuccess, answer.field(takeup_pg_sqlstate) == nil || answer.isOfAnotherSession {
            isBroken = true
        }
        return answer
    }

    @discardableResult
    func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int {
        try answer(sql, values).changedRows
    }

    func query<Value>(
        _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) -> Value
    ) throws(SQLError) -> [Value] {
        let answer = try answer(sql, values)
        return (0..<answer.rowCount).map { read(PostgresRow(answer, Int32($0))) }
    }

    func confirm() { isConfirming = true }

    func runLater(_ sql: String, _ values: [SQLValue]) throws(SQLError) {
        let (statement, texts) = try statement(sql, values)
        guard nesting == 1, held.isEmpty, canHold else {
            try run(sql, values)
            return
        }
        try requireTransaction(sql)
        held = [PostgresMessage(statement, texts)]
    }

    func numberLater(_ sql: String) throws(SQLError) -> () throws(SQLError) -> Int64 {
        guard nesting == 1, held.allSatisfy(\.isBegin), canHold else {
            let number = try query(sql, []) { $0.integer(0) }.first ?? 0
            return { () throws(SQLError) in number }
        }
        if held.isEmpty { try requireTransaction(sql) }
        let place = LaterAnswer()
        var message = try PostgresMessage(statement(sql, []).0, [])
        message.place = place
        held.append(message)
        return { [self] () throws(SQLError) in
            if place.answer == nil { try sendHeld() }
            guard let answer = place.answer else { throw failedBefore(sql) }
            return PostgresRow(answer, 0).integer(0)
        }
    }

    private func answer(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> PostgresAnswer {
        try reconnect()
        let (statement, texts) = try statement(sql, values)
        let first = takeHeld()
        let isBeginning = first.first?.isBegin == true
        if nesting > 0, !isBeginning { try requireTransaction(sql) }
        var (answer, refused) = ask(statement, texts, after: first)
        // What begins a transaction, or only reads, may be asked again.
        let isReading = nesting == 0 && (sql.hasPrefix("SELECT") || sql.hasPrefix("WITH"))
        if isLost, isBeginning || isReading {
            try reopen()
            (answer, refused) = ask(statement, texts, after: first)
        }
        if answer.isOutdated {
            if refused == nil { prepared.forget(statement) }
            if isBeginning { _ = noted(send("ROLLBACK")) }
            if isBeginning || nesting == 0 {
                (answer, refused) = ask(statement, texts, after: first)
            }
        }
        return try checked(answer, refused?.statement.text ?? sql)
    }

    /// - Returns: The answer, and what it is about where that is not the statement itself.
    private func ask(
        _ statement: PreparedStatements.Statement, _ texts: [String?],
        after first: [PostgresMessage]
    ) -> (PostgresAnswer, PostgresMessage?) {
        if !first.isEmpty { return together(first + [PostgresMessage(statement, texts)]) }
        let (count, types) = (Int32(texts.count), statement.types)
        // The pooler's next connection does not know what this one has planned.
        let use = isPooled ? .asItIs : prepared.use(of: statement)
        if case .prepare(let name) = use {
            let planned = noted(
                PostgresAnswer(
                    takeup_PQprepare(connection, name, statement.text, count, types)))
            guard planned.isSuccess else { return (planned, nil) }
            prepared.note(statement, as: name)
        }
        let answer = PostgresAnswer(
            withStrings(texts) { values in
                switch use {
                case .asItIs:
                    takeup_PQexecParams(
                        connection, statement.text, count, types, values, nil, nil, 0)
                case .prepare(let name), .run(let name):
                    takeup_PQexecPrepared(connection, name, count, values, nil, nil, 0)
                }
            })
        return (noted(answer), nil)
    }

    /// A statement in PostgreSQL's words, and its values.
    private func statement(
        _ sql: String, _ values: [SQLValue]
    ) throws(SQLError) -> (PreparedStatements.Statement, [String?]) {
        var (types, texts): ([UInt32], [String?]) = ([], [])
        for value in values {
            let (type, text) = value.parameter
            guard text?.utf8.contains(0) != true else {
                throw SQLError(
                    .step, .constraint, code: "PostgreSQL",
                    message: "a text with a zero byte cannot be stored",
                    database: name, statement: sql)
            }
            types.append(type)
            texts.append(text)
        }
        return (PreparedStatements.Statement(text: translated(sql), types: types), texts)
    }

    /// Texts that are kept; those with lists of names differ each time.
    private static let mostStatements = 500

    /// Takeup's SQL in PostgreSQL's words.
    private func translated(_ sql: String) -> String {
        if let known = statements[sql] { return known }
        let text = PostgresText.translated(sql)
        if statements.count >= Self.mostStatements { statements.removeAll() }
        statements[sql] = text
        return text
    }

    /// A server that was restarted has ended the connection; only between transactions is nothing lost by that.
    func reconnect() throws(SQLError) {
        if nesting == 0, isLost { try reopen() }
    }

    func reopen() throws(SQLError) {
        try backoff.check()
        // The new connection is in no transaction.
        let depth = nesting
        nesting = 0
        defer { nesting = depth }
        do throws(SQLError) {
            let fresh = try Self.open(address, name, standbyWait)
            takeup_PQfinish(connection)
            _ = standbyWait.takeIsGivenUp()
            (connection, isBroken, prepared) = (fresh, false, PreparedStatements())
            try configure()
            backoff = ReconnectBackoff()
        } catch {
            isBroken = true
            backoff.note(error)
            throw error
        }
    }

    func failure(_ answer: PostgresAnswer, _ sql: String) -> SQLError {
        let state = answer.field(takeup_pg_sqlstate)
        // A server that became a standby: the address may lead to another one by now.
        if state == "25006" { isBroken = true }
        let message =
            answer.field(takeup_pg_primary_message)
            ?? Self.text(takeup_PQerrorMessage(connection))
        return SQLError(
            .step, isLost ? .unreachable : SQLError.Kind(sqlState: state ?? ""),
            code: "PostgreSQL \(state ?? "without a code")", message: message,
            database: name, statement: sql)
    }
}
