internal import TakeupSQLite

extension SQLiteJobStore {
    /// Ids that are asked for in one statement.
    private static let idsAtOnce = 500

    public func job(_ id: JobID) throws(JobStoreError) -> JobRecord? {
        try jobs(JobFilter(ids: [id])).first
    }

    public func jobs(_ filter: JobFilter) throws(JobStoreError) -> [JobRecord] {
        guard let ids = filter.ids else { return try page(filter, []).map(\.record) }
        var found: [(sequence: Int64, record: JobRecord)] = []
        for start in stride(from: 0, to: ids.count, by: Self.idsAtOnce) {
            var part = Array(ids[start..<min(start + Self.idsAtOnce, ids.count)])
            // One id or a full page, so that the connection keeps few statements.
            if part.count > 1, let last = part.last {
                part += Array(repeating: last, count: Self.idsAtOnce - part.count)
            }
            found += try page(filter, part)
        }
        found.sort { $0.sequence < $1.sequence }
        // An id that was named twice may have been found in two pages.
        var last: Int64?
        found.removeAll { row in
            defer { last = row.sequence }
            return row.sequence == last
        }
        return found.prefix(max(0, filter.limit)).map(\.record)
    }

    /// Rows in the order of acceptance; no ids stand for every id.
    private func page(
        _ filter: JobFilter, _ ids: [JobID]
    ) throws(JobStoreError) -> [(sequence: Int64, record: JobRecord)] {
        var (terms, values): ([String], [SQLiteValue]) = (["1"], [])
        if !ids.isEmpty {
            terms.append("id IN (\(places(ids.count)))")
            values += ids.map { .text($0.rawValue) }
        }
        if let states = filter.states {
            let names = states.map(\.rawValue).sorted()
            terms.append("state IN (\(places(names.count)))")
            values += names.map { .text($0) }
        }
        let sql = """
            SELECT \(JobColumns.all), sequence FROM job WHERE \(terms.joined(separator: " AND "))
            ORDER BY sequence LIMIT ?
            """
        values.append(.integer(max(0, filter.limit)))
        let rows = try use { (connection) throws(SQLiteError) in
            try connection.query(sql, values) { ($0.integer(20), JobColumns.record($0)) }
        }
        var found: [(sequence: Int64, record: JobRecord)] = []
        for (sequence, row) in rows { found.append((sequence, try row.get())) }
        return found
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
