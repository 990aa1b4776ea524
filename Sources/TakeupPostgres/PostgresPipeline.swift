internal import CTakeupPostgres

/// A statement that goes to the server with others.
enum PostgresMessage {
    /// Begins a transaction.
    case begin(String)
    case text(String)
    /// One that the server has planned.
    case planned(PreparedStatements.Statement, name: String, [String?])

    var isBegin: Bool {
        if case .begin = self { true } else { false }
    }

    var statement: PreparedStatements.Statement? {
        if case .planned(let statement, _, _) = self { statement } else { nil }
    }

    var text: String {
        switch self {
        case .begin(let text), .text(let text): text
        case .planned(let statement, _, _): statement.text
        }
    }
}

/// Several statements on one way to the server.
enum PostgresPipeline {
    /// Runs the messages in order; once the server refuses one, it runs none of the others.
    ///
    /// `wait` is called between the last message and the first answer. The result is what the server answered to the last
    /// message, or to the one that it refused, and that one.
    static func answer(
        _ connection: OpaquePointer, _ messages: [PostgresMessage], wait: () -> Void
    ) -> (PostgresAnswer, PostgresMessage?) {
        guard takeup_PQenterPipelineMode(connection) != 0 else { return (PostgresAnswer(nil), nil) }
        let isSent =
            messages.allSatisfy { send($0, connection) }
            && takeup_PQpipelineSync(connection) != 0
        if isSent { wait() }
        let answers = isSent ? answers(connection) : []
        guard takeup_PQexitPipelineMode(connection) != 0 else { return (PostgresAnswer(nil), nil) }
        if let refused = answers.firstIndex(where: { !$0.isSuccess }) {
            return (answers[refused], refused < messages.count ? messages[refused] : nil)
        }
        guard let last = answers.last, answers.count == messages.count else {
            return (PostgresAnswer(nil), nil)
        }
        return (last, nil)
    }

    private static func send(_ message: PostgresMessage, _ connection: OpaquePointer) -> Bool {
        switch message {
        case .begin(let text), .text(let text):
            takeup_PQsendQueryParams(connection, text, 0, nil, nil, nil, nil, 0) != 0
        case .planned(_, let name, let texts):
            withStrings(texts) { values in
                takeup_PQsendQueryPrepared(
                    connection, name, Int32(texts.count), values, nil, nil, 0) != 0
            }
        }
    }

    /// Each answer is followed by none, and all of them by the end of the pipeline.
    private static func answers(_ connection: OpaquePointer) -> [PostgresAnswer] {
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
