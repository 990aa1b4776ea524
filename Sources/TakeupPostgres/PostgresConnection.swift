internal import CTakeupPostgres
internal import Foundation
internal import TakeupSQL

/// One connection to a PostgreSQL server; opened again where the server ended it between two transactions.
final class PostgresConnection: SQLConnection {
    let dialect = SQLDialect.postgres
    let name: String
    var nesting = 0
    private let address: String
    private var connection: OpaquePointer
    private var isBroken = false
    private var backoff = ReconnectBackoff()
    /// Whether a pooler may give each transaction another connection to the server.
    private(set) var isPooled = false
    /// Whether commits wait for standbys, as the server said when it was connected to.
    private var awaitsStandbys = false
    private var statements: [String: String] = [:]
    private var prepared = PreparedStatements()
    private let onSlowAnswer: (@Sendable (String) -> Void)?
    /// Begins a transaction, together with its first statement: one way to the server less.
    private var begin: String?
    private static let hasPipelines = takeup_pg_has_pipelines() != 0

    init(
        address: String, name: String, onSlowAnswer: (@Sendable (String) -> Void)? = nil
    ) throws(SQLError) {
        (self.address, self.name, self.onSlowAnswer) = (address, name, onSlowAnswer)
        connection = try Self.open(address, name)
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
            try execute(PostgresSettings.session)
        } catch {
            throw SQLError(
                .configure, error.kind, code: error.code, message: error.message, database: name)
        }
    }

    /// Everything is durable here; see `SQLDurability.normal`.
    func set(_ durability: SQLDurability) {}

    func execute(_ script: String) throws(SQLError) {
        try reconnect()
        let isBegin = nesting == 0 && script.hasPrefix("BEGIN")
        let isAlone = !script.contains(";")
        if isBegin, isAlone, !isPooled, Self.hasPipelines {
            begin = script
            return
        }
        var script = script
        if isBegin, isPooled {
            let end = script.firstIndex(of: ";") ?? script.endIndex
            script.insert(contentsOf: "; \(PostgresSettings.transaction("SET LOCAL"))", at: end)
        }
        let first = takenBegin()
        if let first {
            // The server knows of no transaction.
            if script == "COMMIT" || script == "ROLLBACK" { return }
            script = "\(first); \(script)"
        } else if script == "COMMIT" {
            try requireTransaction(script)
        }
        // A timeout would end a commit's wait for the standbys with a success that they do not know of.
        if awaitsStandbys, script == "COMMIT" { script = "SET LOCAL statement_timeout = 0; COMMIT" }
        var answer = noted(send(script))
        if isLost, isBegin || first != nil {
            try reopen()
            answer = noted(send(script))
        }
        guard answer.isSuccess else { throw failure(answer, script) }
    }

    /// What begins a transaction that has sent nothing so far.
    private func takenBegin() -> String? {
        let begin = begin.take()
        return nesting > 0 ? begin : nil
    }

    /// Sees that the server has the transaction still: what it ran outside of one would stay, and it takes the commit of one
    /// that has failed for a rollback.
    private func requireTransaction(_ sql: String) throws(SQLError) {
        let state = Int(takeup_PQtransactionStatus(connection))
        guard state == takeup_pg_no_transaction || state == takeup_pg_failed_transaction else {
            return
        }
        throw SQLError(
            .step, .other, code: "PostgreSQL", message: "its transaction has failed before",
            database: name, statement: sql)
    }

    private func send(_ script: String) -> PostgresAnswer {
        guard takeup_PQsendQuery(connection, script) != 0 else { return PostgresAnswer(nil) }
        awaitAnswer()
        var last = PostgresAnswer(nil)
        while let result = takeup_PQgetResult(connection) { last = PostgresAnswer(result) }
        return last
    }

    /// Tells where the server does not answer soon: it waits for a lock, or a commit for its standbys.
    private func awaitAnswer() {
        guard let onSlowAnswer else { return }
        var place = pollfd(fd: takeup_PQsocket(connection), events: Int16(POLLIN), revents: 0)
        if poll(&place, 1, Self.slowMilliseconds) == 0 { onSlowAnswer(name) }
    }

    private static let slowMilliseconds: Int32 = 5_000

    /// Known once something was sent: a server that was restarted has ended the connection without a word.
    private var isLost: Bool {
        isBroken || takeup_PQstatus(connection) != Int32(takeup_pg_connection_ok)
    }

    /// Notes that the connection is broken where libpq itself, and not the server, says an error: only that has no code.
    ///
    /// After a write that failed libpq still calls the connection good.
    private func noted(_ answer: PostgresAnswer) -> PostgresAnswer {
        if !answer.isSuccess, answer.field(takeup_pg_sqlstate) == nil { isBroken = true }
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

    private func answer(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> PostgresAnswer {
        try reconnect()
        let text = statement(sql)
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
        let statement = PreparedStatements.Statement(text: text, types: types)
        let first = takenBegin()
        if first == nil, nesting > 0 { try requireTransaction(sql) }
        var answer = ask(statement, texts, after: first)
        // What begins a transaction, or only reads, may be asked again.
        let isReading = nesting == 0 && (sql.hasPrefix("SELECT") || sql.hasPrefix("WITH"))
        if isLost, first != nil || isReading {
            try reopen()
            answer = ask(statement, texts, after: first)
        }
        if let state = answer.field(takeup_pg_sqlstate), Self.outdated.contains(state) {
            prepared.forget(statement)
            if first != nil { _ = noted(send("ROLLBACK")) }
            if first != nil || nesting == 0 { answer = ask(statement, texts, after: first) }
        }
        guard answer.isSuccess else { throw failure(answer, sql) }
        return answer
    }

    /// What the server says of a plan that it does not have any more, or whose tables have changed.
    private static let outdated = ["26000", "0A000"]

    private func ask(
        _ statement: PreparedStatements.Statement, _ texts: [String?], after begin: String?
    ) -> PostgresAnswer {
        let (count, types) = (Int32(texts.count), statement.types)
        // The pooler's next connection does not know what this one has planned.
        let use = isPooled ? .asItIs : prepared.use(of: statement)
        if let begin {
            if case .run(let name) = use {
                return noted(
                    PostgresPipeline.answer(
                        connection, begin, then: name, texts, wait: awaitAnswer))
            }
            let begun = noted(send(begin))
            guard begun.isSuccess else { return begun }
        }
        if case .prepare(let name) = use {
            let planned = noted(
                PostgresAnswer(
                    takeup_PQprepare(connection, name, statement.text, count, types)))
            guard planned.isSuccess else { return planned }
            prepared.note(statement, as: name)
        }
        return noted(
            PostgresAnswer(
                withStrings(texts) { values in
                    switch use {
                    case .asItIs:
                        takeup_PQexecParams(
                            connection, statement.text, count, types, values, nil, nil, 0)
                    case .prepare(let name), .run(let name):
                        takeup_PQexecPrepared(connection, name, count, values, nil, nil, 0)
                    }
                }))
    }

    /// Texts that are kept; those with lists of names differ each time.
    private static let mostStatements = 500

    /// Takeup's SQL in PostgreSQL's words.
    private func statement(_ sql: String) -> String {
        if let known = statements[sql] { return known }
        let text = PostgresText.translated(sql)
        if statements.count >= Self.mostStatements { statements.removeAll() }
        statements[sql] = text
        return text
    }

    /// A server that was restarted has ended the connection; only between transactions is nothing lost by that.
    private func reconnect() throws(SQLError) {
        if nesting == 0, isLost { try reopen() }
    }

    private func reopen() throws(SQLError) {
        try backoff.check()
        // The new connection is in no transaction.
        let depth = nesting
        nesting = 0
        defer { nesting = depth }
        do throws(SQLError) {
            let fresh = try Self.open(address, name)
            takeup_PQfinish(connection)
            (connection, isBroken, prepared) = (fresh, false, PreparedStatements())
            try configure()
            backoff = ReconnectBackoff()
        } catch {
            isBroken = true
            backoff.note(error)
            throw error
        }
    }

    private func failure(_ answer: PostgresAnswer, _ sql: String) -> SQLError {
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
