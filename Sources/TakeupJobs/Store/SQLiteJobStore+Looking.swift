internal import TakeupSQLite

extension SQLiteJobStore {
    /// Ids that are asked for in one statement.
    private static let idsAtOnce = 500

    public func job(_ id: JobID) throws(JobStoreError) -> JobRecord? {
        try jobs(JobFilter(ids: [id])).first
    }

    public func jobs(_ filter: JobFilter) throws(JobStoreError) -> [JobRecord] {
        guard let ids = filter.ids else { return try page(filter, nil, limit: filter.limit) }
        var found: [JobRecord] = []
        var start = 0
        while start < ids.count, found.count < filter.limit {
            let part = ids[start..<min(start + Self.idsAtOnce, ids.count)]
            found += try page(filter, Array(part), limit: filter.limit - found.count)
            start += Self.idsAtOnce
        }
        return found
    }

    private func page(
        _ filter: JobFilter, _ ids: [JobID]?, limit: Int
    ) throws(JobStoreError) -> [JobRecord] {
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
        let sql = """
            SELECT \(JobColumns.all) FROM job WHERE \(terms.joined(separator: " AND "))
            ORDER BY sequence LIMIT ?
            """
        let rows = try use { (connection) throws(SQLiteError) in
            try connection.query(sql, values + [.integer(limit)]) { JobColumns.record($0) }
        }
        var records: [JobRecord] = []
        for row in rows { records.append(try row.get()) }
        return records
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
