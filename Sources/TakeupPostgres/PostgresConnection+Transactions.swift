internal import CTakeupPostgres
internal import TakeupSQL

extension PostgresConnection {
    private static let hasPipelines = takeup_pg_has_pipelines() != 0

    /// Whether something may wait for the next statement; not behind a pooler, which may know no pipelines.
    var canHold: Bool { Self.hasPipelines && !isPooled }

    /// Behind a pooler a transaction alone has settings of its own.
    func alone<Value>(_ body: () throws(SQLError) -> Value) throws(SQLError) -> Value {
        try reconnect()
        return try isPooled ? transaction(.rows, body) : body()
    }

    func execute(_ script: String) throws(SQLError) {
        try reconnect()
        if nesting == 0, script.hasPrefix("BEGIN") {
            isConfirming = false
            return try begin(script)
        }
        if script == "COMMIT" { return try commit() }
        if script == "ROLLBACK" {
            // A begin that was not sent needs no rollback, a lost connection has done one. What is held is dropped.
            if takeHeld().first?.isBegin == true || isLost { return }
        } else {
            try sendHeld()
        }
        try checked(noted(send(script)), script)
    }

    private func begin(_ script: String) throws(SQLError) {
        if canHold, !script.contains(";") {
            var message = PostgresMessage(script)
            message.isBegin = true
            held = [message]
            return
        }
        var script = script
        if isPooled {
            let end = script.firstIndex(of: ";") ?? script.endIndex
            script.insert(
                contentsOf: "; \(PostgresSettings.transaction("SET LOCAL", durability))", at: end)
        }
        var answer = noted(send(script))
        if isLost {
            try reopen()
            answer = noted(send(script))
        }
        try checked(answer, script)
    }

    func takeHeld() -> [PostgresMessage] {
        defer { held = [] }
        return held
    }

    /// Sends what was held by itself, as before a script.
    func sendHeld() throws(SQLError) {
        let messages = takeHeld()
        guard let last = messages.last else { return }
        var (answer, refused) = together(messages)
        if isLost, messages[0].isBegin {
            try reopen()
            (answer, refused) = together(messages)
        }
        try checked(answer, (refused ?? last).statement.text)
    }

    /// - Throws: Also where the server answers with success and has not committed, or on this server alone.
    private func commit() throws(SQLError) {
        let last = takeHeld()
        let isBeginning = last.first?.isBegin == true
        // The server knows of no transaction.
        if isBeginning, last.count == 1 { return }
        if !isBeginning { try requireTransaction("COMMIT") }
        let end = awaitsStandbys && isConfirming ? [Self.confirmation, "COMMIT"] : ["COMMIT"]
        let answer: PostgresAnswer
        var refused: PostgresMessage?
        if last.isEmpty {
            answer = noted(send(end.joined(separator: "; ")))
        } else {
            (answer, refused) = together(last + end.map { PostgresMessage($0) })
        }
        try checked(answer, refused?.statement.text ?? "COMMIT")
        if answer.command != "COMMIT" { throw failedBefore("COMMIT") }
    }

    /// Goes before a commit that confirms what the transaction has seen: an empty message in the server's log.
    ///
    /// A transaction that has written nothing would not wait, though another's commit that it has seen may wait still.
    private static let confirmation = "SELECT pg_logical_emit_message(true, 'takeup', '')"

    /// Sends messages on one way to the server.
    ///
    /// - Returns: The last one's answer, or that of the first one that the server refused, and which one that is.
    func together(_ messages: [PostgresMessage]) -> (PostgresAnswer, PostgresMessage?) {
        for message in messages { message.place?.answer = nil }
        let (answer, refused) = PostgresPipeline.answer(
            messages, connection, &prepared, wait: awaitAnswer)
        if answer.isOutdated, let refused { prepared.forget(refused.statement) }
        return (noted(answer), refused)
    }

    /// - Throws: `SQLError` for an answer that is no success, or that a standby does not know of.
    @discardableResult
    func checked(_ answer: PostgresAnswer, _ sql: String) throws(SQLError) -> PostgresAnswer {
        let isGivenUp = standbyWait.takeIsGivenUp()
        guard answer.isSuccess else { throw failure(answer, sql) }
        guard isGivenUp else { return answer }
        awaitsStandbys = true
        throw SQLError(
            .step, .unreachable, code: "PostgreSQL 01000",
            message: "the wait for the server's standby was cancelled", database: name,
            statement: sql
        ).withUnknownOutcome
    }

    /// Sees that the server has the transaction still: what it ran outside of one would stay.
    func requireTransaction(_ sql: String) throws(SQLError) {
        let state = Int(takeup_PQtransactionStatus(connection))
        guard state == takeup_pg_no_transaction || state == takeup_pg_failed_transaction else {
            return
        }
        throw failedBefore(sql)
    }

    func failedBefore(_ sql: String) -> SQLError {
        SQLError(
            .step, .other, code: "PostgreSQL", message: "its transaction has failed before",
            database: name, statement: sql)
    }
}
