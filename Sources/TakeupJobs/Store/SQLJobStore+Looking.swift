internal import TakeupSQL

extension SQLJobStore {
    /// Ids that are asked for in one statement.
    private static let idsAtOnce = 500

    public func job(_ id: JobID) throws(JobStoreError) -> JobRecord? {
        try jobs(JobFilter(ids: [id])).first
    }

    public func jobs(_ filter: JobFilter) throws(JobStoreError) -> [JobRecord] {
        try readable(
            look { (connection) throws(SQLError) in
                try Self.pages(filter, JobColumns.all, JobColumns.record, connection)
            }, filter)
    }

    public func confirmed(_ filter: JobFilter) throws(JobStoreError) -> [JobRecord] {
        // In a file, what is seen is durable.
        guard file == nil else { return try jobs(filter) }
        return try readable(
            change(.rows) { (connection) throws(SQLError) in
                try Self.pages(filter, JobColumns.all, JobColumns.record, connection)
            }, filter)
    }

    private func readable(
        _ rows: [Result<JobRecord, JobStoreError>], _ filter: JobFilter
    ) throws(JobStoreError) -> [JobRecord] {
        var records: [JobRecord] = []
        for row in rows {
            do throws(JobStoreError) {
                records.append(try row.get())
            } catch {
                // A row that this version cannot read hides no other; asked for by itself, it is told.
                if filter.ids?.count == 1 { throw error }
            }
        }
        return records
    }

    public func states(_ filter: JobFilter) throws(JobStoreError) -> [JobID: JobState] {
        var states: [JobID: JobState] = [:]
        let rows = try look { (connection) throws(SQLError) in
            try Self.pages(
                filter, "id, state",
                { row in (JobID(rawValue: row.text(0)), JobState(rawValue: row.text(1))) },
                connection)
        }
        for (id, state) in rows { if let state { states[id] = state } }
        return states
    }

    /// Reads the rows of a filter in the order of acceptance, each once.
    private static func pages<Value>(
        _ filter: JobFilter, _ columns: String, _ read: (any SQLRow) -> Value,
        _ connection: any SQLConnection
    ) throws(SQLError) -> [Value] {
        guard let ids = filter.ids else {
            return try page(filter, [], columns, read, connection).map(\.1)
        }
        var found: [(sequence: Int64, value: Value)] = []
        for start in stride(from: 0, to: ids.count, by: Self.idsAtOnce) {
            var part = Array(ids[start..<min(start + Self.idsAtOnce, ids.count)])
            // One id or a full page, so that the connection keeps few statements.
            if part.count > 1, let last = part.last {
                part += Array(repeating: last, count: Self.idsAtOnce - part.count)
            }
            found += try page(filter, part, columns, read, connection)
        }
        found.sort { $0.sequence < $1.sequence }
        // An id that was named twice may have been found in two pages.
        var last: Int64?
        found.removeAll { row in
            defer { last = row.sequence }
            return row.sequence == last
        }
        return found.prefix(max(0, filter.limit)).map(\.value)
    }

    /// No ids stand for every id.
    private static func page<Value>(
        _ filter: JobFilter, _ ids: [JobID], _ columns: String, _ read: (any SQLRow) -> Value,
        _ connection: any SQLConnection
    ) throws(SQLError) -> [(sequence: Int64, value: Value)] {
        var (terms, values): ([String], [SQLValue]) = (["1 = 1"], [])
        if !ids.isEmpty {
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
        let width = columns.split(separator: ",").count
        let sql = """
            SELECT \(columns), sequence FROM job WHERE \(terms.joined(separator: " AND "))
            ORDER BY \(order) LIMIT ?
            """
        values.append(.integer(max(0, filter.limit)))
        return try connection.query(sql, values) { ($0.integer(width), read($0)) }
    }

    private static func places(_ count: Int) -> String {
        // PostgreSQL knows no empty list; nothing equals null.
        count == 0 ? "NULL" : Array(repeating: "?", count: count).joined(separator: ", ")
    }

    public func counts() throws(JobStoreError) -> [JobState: Int] {
        let rows = try look { (connection) throws(SQLError) in
            try connection.query("SELECT state, count(*) FROM job GROUP BY state") {
                (JobState(rawValue: $0.text(0)), Int($0.integer(1)))
            }
        }
        var counts: [JobState: Int] = [:]
        for (state, count) in rows { if let state { counts[state] = count } }
        return counts
    }

    public func depth() throws(JobStoreError) -> QueueDepth {
        try requirePlace()
        // Each from an index that holds no job that has ended.
        let rows = try look { (connection) throws(SQLError) in
            try Self.requireKnownTables(connection)
            return try connection.query(
                """
                \(JobGroup.waiting)
                SELECT (SELECT count(*) FROM job WHERE state = 'queued'),
                    (SELECT count(*) FROM job WHERE state = 'scheduled'),
                    (SELECT count(*) FROM job WHERE state = 'running'),
                    (SELECT min(run_at) FROM waiting)
                """
            ) { ($0.integer(0), $0.integer(1), $0.integer(2), $0.optionalReal(3)) }
        }
        var depth = QueueDepth()
        guard let row = rows.first else { return depth }
        (depth.queued, depth.scheduled, depth.running) = (Int(row.0), Int(row.1), Int(row.2))
        depth.oldestSeconds = row.3.map { max(0, now() - $0) } ?? 0
        return depth
    }

    public func demands() throws(JobStoreError) -> [JobDemand] {
        try requirePlace()
        let rows = try look { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT need, count(*) FROM job WHERE state = 'running' GROUP BY need
                UNION ALL
                SELECT need, count(*) FROM job INDEXED BY job_due
                WHERE state IN ('queued', 'scheduled') GROUP BY need
                """
            ) { ($0.text(0), Int($0.integer(1))) }
        }
        return Dictionary(rows, uniquingKeysWith: +).sorted { $0.key < $1.key }
            .map { JobDemand(need: $0.key, count: $0.value) }
    }

    public func secondsToNext() throws(JobStoreError) -> Double? {
        let groups = try look { (connection) throws(SQLError) in
            try JobGroup.all("", connection).groups
        }
        return groups.compactMap(\.freeAt).min().map { max(0, $0 - now()) }
    }
}
