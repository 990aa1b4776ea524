internal import TakeupSQL

extension SQLJobStore {
    /// Ids with one beginning that are worth being asked for by name.
    private static let fewIDs = 1000

    private struct Listed {
        let cursor: JobCursor
        let record: JobRecord?
    }

    public func list(_ listing: JobListing) throws(JobStoreError) -> JobPage {
        precondition(listing.limit > 0, "a page holds a job")
        let beginnings = listing.search?.beginnings ?? listing.idPrefix.map { [("id", $0)] }
        let ids = try beginnings.flatMap { (texts) throws(JobStoreError) in
            try self.ids(beginningWith: texts)
        }
        var (records, after): ([JobRecord], JobCursor?) = ([], listing.after)
        var unreadable = 0
        while true {
            let wanted = listing.limit - records.count
            let rows = try rows(listing, ids, after: after, limit: wanted)
            // A row that this version cannot read hides no other.
            let readable = rows.compactMap(\.record)
            unreadable += rows.count - readable.count
            records += readable.filter(listing.includes)
            guard rows.count == wanted, let last = rows.last else {
                return JobPage(records: records, next: nil, unreadable: unreadable)
            }
            if records.count == listing.limit {
                return JobPage(records: records, next: last.cursor, unreadable: unreadable)
            }
            after = last.cursor
        }
    }

    /// - Returns: nil where there are too many.
    private func ids(
        beginningWith texts: [(column: String, text: String)]
    ) throws(JobStoreError) -> [String]? {
        var ids: Set<String> = []
        for (column, text) in texts {
            ids.formUnion(
                try look { (connection) throws(SQLError) in
                    try connection.query(
                        """
                        SELECT id FROM job
                        WHERE \(column) >= ?1 AND \(column) < ?1 || '\u{10FFFF}' LIMIT ?2
                        """, [.text(text), .integer(Self.fewIDs + 1)]
                    ) { $0.text(0) }
                })
            guard ids.count <= Self.fewIDs else { return nil }
        }
        return ids.sorted()
    }

    /// Reads what the database can tell apart; some of it may have to be left out.
    private func rows(
        _ listing: JobListing, _ ids: [String]?, after: JobCursor?, limit: Int
    ) throws(JobStoreError) -> [Listed] {
        var (terms, values): ([String], [SQLValue]) = ([], [])
        if let after {
            terms.append("(created_at, sequence) < (?, ?)")
            values += [.real(after.createdAt), .integer(after.sequence)]
        }
        if let time = listing.acceptedSince {
            terms.append("created_at >= ?")
            values.append(.real(time))
        }
        if let ids {
            let places = Array(repeating: "?", count: Self.fewIDs).joined(separator: ",")
            terms.append("id IN (\(places))")
            // As many places each time, so that the connection keeps few statements; no id is empty.
            values += (0..<Self.fewIDs).map { .text($0 < ids.count ? ids[$0] : "") }
        } else if let search = listing.search {
            // No index helps where so many begin so.
            let begin = search.beginnings.map { "substr(\($0.column), 1, length(?)) = ?" }
            terms.append("(\(begin.joined(separator: " OR ")))")
            values += search.beginnings.flatMap { [.text($0.text), .text($0.text)] }
        }
        if let prefix = listing.idPrefix, ids == nil || listing.search != nil {
            terms.append("substr(id, 1, length(?)) = ?")
            values += [.text(prefix), .text(prefix)]
        }
        for text in [listing.source.map { Self.quoted($0.place) }, listing.preset.map(Self.named)]
            .compactMap(\.self)
        {
            terms.append("instr(spec, ?) > 0")
            values.append(.text(text))
        }
        let (sql, all) = Self.statement(terms, values, of: listing.states, limit)
        return try look { (connection) throws(SQLError) in
            try connection.query(sql, all) { row in
                let cursor = JobCursor(createdAt: row.real(10), sequence: row.integer(20))
                return Listed(cursor: cursor, record: try? JobColumns.record(row).get())
            }
        }
    }

    /// Each state by its own part of the index; without states, all of them in the order of acceptance.
    private static func statement(
        _ terms: [String], _ values: [SQLValue], of states: Set<JobState>?, _ limit: Int
    ) -> (sql: String, values: [SQLValue]) {
        let order = "ORDER BY created_at DESC, sequence DESC LIMIT ?"
        let most = SQLValue.integer(limit)
        guard let states else {
            let condition = terms.isEmpty ? "" : "WHERE \(terms.joined(separator: " AND "))"
            return ("SELECT \(JobColumns.all) FROM job \(condition) \(order)", values + [most])
        }
        let condition = (["state = ?"] + terms).joined(separator: " AND ")
        let part =
            "SELECT * FROM (SELECT \(JobColumns.all) FROM job WHERE \(condition) \(order)) AS part"
        let names = states.map(\.rawValue).sorted()
        guard !names.isEmpty else { return ("SELECT 1 WHERE 1 = 0", []) }
        let parts = names.map { _ in part }.joined(separator: " UNION ALL ")
        return (
            "SELECT * FROM (\(parts)) AS listed \(order)",
            names.flatMap { [.text($0)] + values + [most] } + [most]
        )
    }

    /// How a text that begins so stands in a spec; what is behind it is looked at afterwards.
    private static func quoted(_ text: String) -> String {
        String(JobColumns.encoded(text).dropLast())
    }

    private static func named(_ preset: String) -> String {
        "\"name\":\(JobColumns.encoded(preset))"
    }
}
