internal import TakeupSQLite

extension SQLiteJobStore {
    public func upcoming(limit: Int) throws(JobStoreError) -> [JobSpec] {
        guard limit > 0 else { return [] }
        let time = now()
        let overdue = time - AgingPolicy.overdueSeconds
        let rows = try look { (connection) throws(SQLiteError) in
            try connection.query(
                Self.nextJobs, [.real(time), .real(overdue), .integer(Int64(limit))]
            ) { row in
                let candidate = ClaimOrder.Candidate(
                    sequence: row.integer(0), priority: row.integer(1), runAt: row.real(2),
                    isOverdue: row.real(2) <= overdue)
                let spec: JobSpec? = JobColumns.decoded(row.text(3))
                return (candidate, spec, token: row.integer(4))
            }
        }
        guard let token = rows.first?.token else { return [] }
        let specs = Dictionary(
            rows.map { ($0.0.sequence, $0.1) }, uniquingKeysWith: { first, _ in first })
        return ClaimOrder(candidates: rows.map(\.0), token: token).next(limit).compactMap {
            (specs[$0] ?? nil).flatMap { $0.version <= JobSpec.currentVersion ? $0 : nil }
        }
    }

    /// The first ones by priority, those whose time has come, and the overdue ones.
    private static let nextJobs = """
        SELECT sequence, priority, run_at, spec, (SELECT last FROM job_token) FROM (
            SELECT * FROM (
                SELECT sequence, priority, run_at, spec FROM job
                WHERE state = 'queued' AND \(isFree)
                ORDER BY priority DESC, sequence LIMIT ?3) AS urgent
            UNION
            SELECT * FROM (
                SELECT sequence, priority, run_at, spec FROM job
                WHERE state = 'scheduled' AND run_at <= ?1 AND \(isFree)
                ORDER BY priority DESC, sequence LIMIT ?3) AS due
            UNION
            SELECT * FROM (
                SELECT sequence, priority, run_at, spec FROM job
                WHERE state IN ('queued', 'scheduled') AND run_at <= ?2 AND \(isFree)
                ORDER BY run_at, sequence LIMIT ?3) AS overdue
        ) AS next
        """
}
