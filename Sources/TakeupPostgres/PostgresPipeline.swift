internal import CTakeupPostgres

/// A statement that goes to the server with others.
struct PostgresMessage {
    let statement: PreparedStatements.Statement
    var values: [String?] = []
    /// Whether it begins a transaction.
    var isBegin = false
    /// Gets the answer.
    var place: LaterAnswer?

    init(_ statement: PreparedStatements.Statement, _ values: [String?]) {
        (self.statement, self.values) = (statement, values)
    }

    /// One without values.
    init(_ text: String) { self.init(PreparedStatements.Statement(text: text, types: []), []) }
}

/// An answer that comes with that of a later statement.
final class LaterAnswer {
    var answer: PostgresAnswer?
}

/// Several statements on one way to the server.
struct PostgresPipeline {
    private let connection: OpaquePointer
    /// What is sent, in order: a message, or the planning of its statement under a name before it.
    private var sent: [(message: PostgresMessage, planned: String?)] = []

    /// Runs the messages in order; once the server refuses one, it runs none of the others.
    ///
    /// - Parameters:
    ///   - messages: At least one.
    ///   - connection: Of libpq.
    ///   - prepared: What the server has planned, and learns to plan.
    ///   - wait: Called between the last message and the first answer.
    /// - Returns: What the server answered to the last message, or to the one that it refused, and that one.
    static func answer(
        _ messages: [PostgresMessage], _ connection: OpaquePointer,
        _ prepared: inout PreparedStatements, wait: () -> Void
    ) -> (PostgresAnswer, PostgresMessage?) {
        guard takeup_PQenterPipelineMode(connection) != 0 else { return (PostgresAnswer(nil), nil) }
        var pipeline = PostgresPipeline(connection: connection)
        let isSent =
            messages.allSatisfy { pipeline.send($0, &prepared) }
            && takeup_PQpipelineSync(connection) != 0
        if isSent { wait() }
        let answers = isSent ? pipeline.answers() : []
        guard takeup_PQexitPipelineMode(connection) != 0 else { return (PostgresAnswer(nil), nil) }
        for (answer, (message, name)) in zip(answers, pipeline.sent) {
            guard answer.isSuccess else { return (answer, message) }
            if let name {
                prepared.note(message.statement, as: name)
            } else {
                message.place?.answer = answer
            }
        }
        if let refused = answers.first(where: { !$0.isSuccess }) { return (refused, nil) }
        guard let last = answers.last, answers.count == pipeline.sent.count else {
            return (PostgresAnswer(nil), nil)
        }
        return (last, nil)
    }

    private mutating func send(
        _ message: PostgresMessage, _ prepared: inout PreparedStatements
    ) -> Bool {
        let (statement, count) = (message.statement, Int32(message.values.count))
        let use = prepared.use(of: statement)
        if case .prepare(let name) = use {
            sent.append((message, name))
            guard
                takeup_PQsendPrepare(connection, name, statement.text, count, statement.types)
                    != 0
            else { return false }
        }
        sent.append((message, nil))
        return withStrings(message.values) { values in
            switch use {
            case .asItIs:
                takeup_PQsendQueryParams(
                    connection, statement.text, count, statement.types, values, nil, nil, 0) != 0
            case .prepare(let name), .run(let name):
                takeup_PQsendQueryPrepared(connection, name, count, values, nil, nil, 0) != 0
            }
        }
    }

    /// Each answer is followed by none, and all of them by the end of the pipeline.
    private func answers() -> [PostgresAnswer] {
        var answers: [PostgresAnswer] = []
        var wasNone = false
        while true {
            guard let result = takeup_PQgetResult(connection) else {
                // Twice none: the connection is lost.
                if wasNone { return answers }
                wasNone = true
                continue
            }
            wasNone = false
            let isEnd = Int(takeup_PQresultStatus(result)) == takeup_pg_pipeline_sync
            let answer = PostgresAnswer(result)
            if isEnd { return answers }
            answers.append(answer)
        }
    }
}
