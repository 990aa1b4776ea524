internal import TakeupSQLite

extension SQLiteJobStore {
    /// Ids that are asked for in one statement.
    private static let idsAtOnce = 500

    public func job(_ id: JobID) throws(JobStoreError) -> JobRecord? {
        try jobs(JobFilter(ids: [id])).first
    }

    public func jobs(_ filter: JobFilter) throws(JobStoreError) -> [JobRecord] {
        var records: [JobRecord] = []
        let rows = try pages(filter, JobColumns.all) { JobColumns.record($0) }
        for row in rows { records.append(try row.get()) }
        return records
    }

    public func states(_ filter: JobFilter) throws(JobStoreError) -> [JobID: JobState] {
        var states: [JobID: JobState] = [:]
        let rows = try pages(filter, "id, state") { row in
            (JobID(rawValue: row.text(0)), JobState(rawValue: row.text(1)))
        }
        for (id, state) in rows { if let state { states[id] = state } }
        return states
    }

    private func pages<Value: Sendable>(
        _ filter: JobFilter, _ columns: String, _ read: (borrowing Row) -> Value
    ) throws(JobStoreError) -> [Value] {
        guard let ids = filter.ids else {
            return try page(filter, nil, limit: filter.limit, columns, read)
        }
        var found: [Value] = []
        var start = 0
        while start < ids.count, found.count < filter.limit {
            let part = ids[start..<min(start + Self.idsAtOnce, ids.count)]
            let limit = filter.limit - found.count
            found += try page(filter, Array(part), limit: limit, columns, read)
            start += Self.idsAtOnce
        }
        return found
    }

    private func page<Value: Sendable>(
        _ filter: JobFilter, _ ids: [JobID]?, limit: Int, _ columns: String,
        _ read: (borrowing Row) -> Value
    ) throws(JobStoreError) -> [Value] {
        var (terms, values): ([String], [SQLiteValue]) = (["1"], [])
        if let ids {
            terms.append("id IN (\(places(ids.count)))")
            values += ids.map { .text($0.rawValue) }
        }
        if let states = filter.states {
            let names = states.map(\.rawValue).sorted()
            terms.append("state IN (\(places(names.count)))")
            values += names.map { .text($0) }
        }
        if let time = filter.endedSince {
            terms.append("finished_at IS NOT NULL AND finished_at >= ?")
            values.append(.real(time))
        }
        // The plus keeps SQLite from walking through every job for the sake of their order.
        let order = filter.endedSince == nil ? "sequence" : "+sequence"
        let sql = """
            SELECT \(columns) FROM job WHERE \(terms.joined(separator: " AND "))
            ORDER BY \(order) LIMIT ?
            """
        return try use { (connection) throws(SQLiteError) in
            try connection.query(sql, values + [.integer(limit)], read)
        }
    }

    private func places(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }

    public func counts() throws(JobStoreError) -> [JobState: Int] {
        let rows = try use { (connection) throws(SQLiteError) in
            try connection.query("SELECT state, count(*) FROM job GROUP BY state") {
                (JobState(rawValue: $0.text(0)), Int($0.integer(1)))
            }
        }
        var counts: [JobState: Int] = [:]
        for (state, count) in rows { if let state { counts[state] = count } }
        return counts
    }

    public func secondsToNext() throws(JobStoreError) -> Double? {
        let first = try use { (connection) throws(SQLiteError) in
            try connection.query(
                "SELECT min(run_at) FROM job WHERE state IN ('queued', 'scheduled')"
            ) { $0.optionalReal(0) }.first ?? nil
        }
        return first.map { max(0, $0 - now()) }
    }

    public func prune(olderThanSeconds: Double) throws(JobStoreError) -> Int {
        try use { (connection) throws(SQLiteError) in
            try connection.run(
                "DELETE FROM job WHERE finished_at IS NOT NULL AND finished_at <= ?1",
                [.real(now() - olderThanSeconds)])
        }
    }
}
