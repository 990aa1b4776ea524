internal import TakeupModel
internal import TakeupSQL

extension SQLJobStore {
    public func claim(
        by worker: WorkerID, leaseSeconds: Double
    ) throws(JobStoreError) -> (Lease, JobRecord)? {
        precondition(leaseSeconds > 0, "a lease must last")
        // A look without the write lock, so that idle workers stand in nobody's way.
        guard try hasDue() else { return nil }
        let found = try lease {
            [self]
            (connection) throws(SQLError) -> (Int64, Result<JobRecord, JobStoreError>)? in
            let token =
                try connection.query(
                    "UPDATE job_token SET last = last + 1 RETURNING last"
                ) { $0.integer(0) }.first ?? 0
            guard let sequence = try next(token, connection) else { return nil }
            let time = now()
            let rows = try connection.query(
                """
                UPDATE job SET state = 'running', token = ?2, owner = ?3, lease_until = ?4,
                    started_at = ?5, noted_at = ?5, finished_at = NULL, work_key = NULL,
                    progress = NULL, note = NULL
                WHERE sequence = ?1 RETURNING \(JobColumns.all)
                """,
                [
                    .integer(sequence), .integer(token), .text(worker.rawValue),
                    .real(time + leaseSeconds), .real(time),
                ]
            ) { JobColumns.record($0) }
            return rows.first.map { (token, $0) }
        }
        guard let (token, row) = found else { return nil }
        do throws(JobStoreError) {
            let record = try row.get()
            return (Lease(job: record.id, token: token, worker: worker), record)
        } catch {
            try setAside(token)
            throw error
        }
    }

    /// Ends a job whose row no worker of this version can read, so that it is not claimed again and again.
    private func setAside(_ token: Int64) throws(JobStoreError) {
        let fault = Failure(
            exitCode: .internalError, code: "unreadableJob", stage: "request",
            message: "the job's description is not one that this version of Takeup can read",
            hint: "submit it again, or retry it with the version that accepted it")
        _ = try change { [self] (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE job SET state = 'failed', failures = failures + 1, owner = NULL,
                    lease_until = NULL, finished_at = ?2, fault = ?3
                WHERE token = ?1 AND state = 'running'
                """, [.integer(token), .real(now()), .text(JobColumns.encoded(fault))])
        }
    }

    private func hasDue() throws(JobStoreError) -> Bool {
        try look { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT EXISTS (SELECT 1 FROM job INDEXED BY job_queued
                        WHERE state = 'queued' AND \(Self.isFree))
                    OR EXISTS (SELECT 1 FROM job INDEXED BY job_due
                        WHERE state IN ('queued', 'scheduled') AND run_at <= ?1
                            AND \(Self.isFree))
                """, [.real(now())]
            ) { $0.flag(0) }.first ?? false
        }
    }

    /// Which job comes next; nil when another worker was faster.
    private func next(_ token: Int64, _ connection: any SQLConnection) throws(SQLError) -> Int64? {
        let time = now()
        if AgingPolicy.prefersOverdue(token: token) {
            let overdue = try connection.query(
                Self.firstOverdue, [.real(time - AgingPolicy.overdueSeconds), .integer(1)]
            ) { $0.integer(0) }.first
            if let overdue { return overdue }
        }
        return try urgent(time, connection)
    }

    /// The first queued job against the first whose time has come.
    ///
    /// Each is found by its own index: a claim sorts nothing and passes over no job that waits for its time.
    private func urgent(_ time: Double, _ connection: any SQLConnection) throws(SQLError) -> Int64?
    {
        let queued = try connection.query(Self.firstQueued, [.integer(1)]) { row in
            (sequence: row.integer(0), priority: row.integer(1))
        }.first
        for priority in try Self.duePriorities(at: time, connection) {
            if let queued, queued.priority > priority { break }
            let due = try connection.query(
                Self.firstDue, [.integer(priority), .real(time), .integer(1)]
            ) { $0.integer(0) }.first
            guard let due else { continue }
            if let queued, queued.priority == priority { return min(queued.sequence, due) }
            return due
        }
        return queued?.sequence
    }

    /// The priorities that a job whose time has come may have, the highest first.
    ///
    /// Steps from one priority to the next in the index: there are few, however many jobs are due.
    static func duePriorities(
        at time: Double, _ connection: any SQLConnection
    ) throws(SQLError) -> [Int64] {
        try connection.query(
            """
            WITH RECURSIVE level (priority) AS (
                SELECT max(priority) FROM job INDEXED BY job_scheduled
                WHERE state = 'scheduled'
                UNION ALL
                SELECT (SELECT max(priority) FROM job INDEXED BY job_scheduled
                    WHERE state = 'scheduled' AND priority < level.priority)
                FROM level WHERE priority IS NOT NULL)
            SELECT priority FROM level
            WHERE priority IS NOT NULL AND ?1 >= (SELECT min(run_at)
                FROM job INDEXED BY job_scheduled
                WHERE state = 'scheduled' AND priority = level.priority)
            ORDER BY priority DESC
            """, [.real(time)]
        ) { $0.integer(0) }
    }

    static let firstQueued = """
        SELECT sequence, priority, run_at FROM job INDEXED BY job_queued
        WHERE state = 'queued' AND \(isFree) ORDER BY priority DESC, sequence LIMIT ?1
        """

    static let firstOverdue = """
        SELECT sequence FROM job INDEXED BY job_due
        WHERE state IN ('queued', 'scheduled') AND run_at <= ?1 AND \(isFree)
        ORDER BY run_at, sequence LIMIT ?2
        """

    /// Within one priority: the jobs with the earliest due time.
    static let firstDue = """
        SELECT sequence, priority, run_at FROM job INDEXED BY job_scheduled
        WHERE state = 'scheduled' AND priority = ?1 AND run_at <= ?2 AND \(isFree)
        ORDER BY run_at, sequence LIMIT ?3
        """

    /// True for a job without a work key, and if no running job has the same work key.
    ///
    /// Statements name their index: without figures on what the tables hold, SQLite takes the one of all states.
    /// Asked of what runs now and noted nowhere, so that no end of an attempt, whatever it was, can leave a job behind.
    static let isFree = """
        (work_key IS NULL OR NOT EXISTS (SELECT 1 FROM job AS other INDEXED BY job_running
            WHERE other.state = 'running' AND other.work_key = job.work_key))
        """

    public func renew(
        _ beats: [Heartbeat], leaseSeconds: Double
    ) throws(JobStoreError) -> [Renewal] {
        guard !beats.isEmpty else { return [] }
        return try beat { (connection) throws(SQLError) in
            let time = now()
            var answers: [Renewal] = []
            for beat in beats {
                let rows = try connection.query(
                    """
                    UPDATE job SET lease_until = ?3, noted_at = ?5,
                        progress = coalesce(?4, progress)
                    WHERE id = ?1 AND token = ?2 AND state = 'running' RETURNING cancel_requested
                    """,
                    [
                        .text(beat.lease.job.rawValue), .integer(beat.lease.token),
                        .real(time + leaseSeconds),
                        .text(beat.progress.map { JobColumns.encoded($0) }), .real(time),
                    ]
                ) { $0.flag(0) }
                answers.append(rows.first.map { $0 ? .cancelRequested : .kept } ?? .lost)
            }
            return answers
        }
    }
}
