internal import CTakeupPostgres

/// Two statements on one way to the server.
enum PostgresPipeline {
    /// Begins a transaction and runs its first statement, which the server has planned.
    ///
    /// - Returns: What the server answered to the second, or to the first where it refused that.
    static func answer(
        _ connection: OpaquePointer, _ begin: String, then name: String, _ texts: [String?],
        wait: () -> Void
    ) -> PostgresAnswer {
        guard takeup_PQenterPipelineMode(connection) != 0 else { return PostgresAnswer(nil) }
        let isSent = withStrings(texts) { values in
            takeup_PQsendQueryParams(connection, begin, 0, nil, nil, nil, nil, 0) != 0
                && takeup_PQsendQueryPrepared(
                    connection, name, Int32(texts.count), values, nil, nil, 0) != 0
                && takeup_PQpipelineSync(connection) != 0
        }
        if isSent { wait() }
        let answers = isSent ? answers(connection) : []
        guard takeup_PQexitPipelineMode(connection) != 0 else { return PostgresAnswer(nil) }
        if let refusal = answers.first(where: { !$0.isSuccess }) { return refusal }
        return answers.count == 2 ? answers[1] : PostgresAnswer(nil)
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
