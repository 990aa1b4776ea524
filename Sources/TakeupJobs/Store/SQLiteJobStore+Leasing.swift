internal import TakeupSQLite

extension SQLiteJobStore {
    public func claim(
        by worker: WorkerID, leaseSeconds: Double
    ) throws(JobStoreError) -> (Lease, JobRecord)? {
        precondition(leaseSeconds > 0, "a lease must last")
        // A look without the write lock, so that idle workers stand in nobody's way.
        guard try hasDue() else { return nil }
        let found = try lease {
            [self]
            (connection) throws(SQLiteError) -> (Int64, Result<JobRecord, JobStoreError>)? in
            let token =
                try connection.query(
                    "UPDATE job_token SET last = last + 1 RETURNING last"
                ) { $0.integer(0) }.first ?? 0
            guard let sequence = try next(token, connection) else { return nil }
            let time = now()
            let rows = try connection.query(
                """
                UPDATE job SET state = 'running', token = ?2, owner = ?3, lease_until = ?4,
                    started_at = ?5, finished_at = NULL, work_key = NULL, progress = NULL,
                    note = NULL
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
        let fault = JobFault(
            code: "unreadableJob", stage: "request",
            message: "the job's description is not one that this version of Takeup can read",
            hint: "submit it again, or retry it with the version that accepted it", exitCode: 70)
        _ = try change { [self] (connection) throws(SQLiteError) in
            try connection.run(
                """
                UPDATE job SET state = 'failed', failures = failures + 1, owner = NULL,
                    lease_until = NULL, finished_at = ?2, fault = ?3
                WHERE token = ?1 AND state = 'running'
                """, [.integer(token), .real(now()), .text(JobColumns.encoded(fault))])
        }
    }

    private func hasDue() throws(JobStoreError) -> Bool {
        try look { (connection) throws(SQLiteError) in
            try connection.query(
                """
                SELECT EXISTS (SELECT 1 FROM job WHERE state = 'queued' AND \(Self.isFree))
                    OR EXISTS (SELECT 1 FROM job
                        WHERE state = 'scheduled' AND run_at <= ?1 AND \(Self.isFree))
                """, [.real(now())]
            ) { $0.flag(0) }.first ?? false
        }
    }

    /// Which job comes next; nil when another worker was faster.
    private func next(_ token: Int64, _ connection: Connection) throws(SQLiteError) -> Int64? {
        let time = now()
        if AgingPolicy.prefersOverdue(token: token) {
            let overdue = try connection.query(
                """
                SELECT sequence FROM job
                WHERE state IN ('queued', 'scheduled') AND run_at <= ?1 AND \(Self.isFree)
                ORDER BY run_at, sequence LIMIT 1
                """, [.real(time - AgingPolicy.overdueSeconds)]
            ) { $0.integer(0) }.first
            if let overdue { return overdue }
        }
        return try connection.query(Self.first, [.real(time)]) { $0.integer(0) }.first
    }

    /// Whether nobody does the work that a waiting job is known to be.
    ///
    /// Asked of what runs now and noted nowhere, so that no end of an attempt, whatever it was, can leave a job behind.
    static let isFree = """
        (work_key IS NULL OR NOT EXISTS (SELECT 1 FROM job AS other
            WHERE other.state = 'running' AND other.work_key = job.work_key))
        """

    /// The first queued job against the first whose time has come.
    ///
    /// Each is found by its own index: a claim sorts no long queue and passes over no job that waits for its time.
    private static let first = """
        SELECT sequence FROM (
            SELECT * FROM (
                SELECT sequence, priority FROM job INDEXED BY job_queued
                WHERE state = 'queued' AND \(isFree) ORDER BY priority DESC, sequence LIMIT 1)
            UNION ALL
            SELECT * FROM (
                SELECT sequence, priority FROM job INDEXED BY job_scheduled
                WHERE state = 'scheduled' AND run_at <= ?1 AND \(isFree)
                ORDER BY priority DESC, sequence LIMIT 1)
        ) ORDER BY priority DESC, sequence LIMIT 1
        """

    public func renew(
        _ beats: [Heartbeat], leaseSeconds: Double
    ) throws(JobStoreError) -> [Renewal] {
        guard !beats.isEmpty else { return [] }
        return try beat { (connection) throws(SQLiteError) in
            let until = now() + leaseSeconds
            var answers: [Renewal] = []
            for beat in beats {
                let rows = try connection.query(
                    """
                    UPDATE job SET lease_until = ?3, progress = coalesce(?4, progress)
                    WHERE id = ?1 AND token = ?2 AND state = 'running' RETURNING cancel_requested
                    """,
                    [
                        .text(beat.lease.job.rawValue), .integer(beat.lease.token), .real(until),
                        .text(beat.progress.map { JobColumns.encoded($0) }),
                    ]
                ) { $0.flag(0) }
                answers.append(rows.first.map { $0 ? .cancelRequested : .kept } ?? .lost)
            }
            return answers
        }
    }

    public func rescue(deadWorkers: [WorkerID]) throws(JobStoreError) -> [RescuedLease] {
        let lost = try look { (connection) throws(SQLiteError) in
            try connection.query(
                """
                SELECT id, token, owner, lease_until, failures + crashes FROM job
                WHERE state = 'running'
                """
            ) { row in
                let lease = Lease(
                    job: JobID(rawValue: row.text(0)), token: row.integer(1),
                    worker: WorkerID(rawValue: row.text(2)))
                return (
                    RescuedLease(lease: lease, attempt: Int(row.integer(4)) + 1), row.real(3)
                )
            }
        }
        let (dead, time) = (Set(deadWorkers), now())
        var rescued: [RescuedLease] = []
        for (found, until) in lost where until <= time || dead.contains(found.lease.worker) {
            let isGone = dead.contains(found.lease.worker)
            // A lease that was renewed meanwhile stands.
            let condition = SQLiteCondition(
                isGone ? "1" : "lease_until <= ?", isGone ? [] : [.real(time)])
            let state = try end(found.lease, .leaseLost, EndedAttempt(), if: condition)
            if state != nil { rescued.append(found) }
        }
        return rescued
    }

    public func leaseholders() throws(JobStoreError) -> [WorkerID] {
        try look { (connection) throws(SQLiteError) in
            try connection.query(
                "SELECT DISTINCT owner FROM job WHERE state = 'running' ORDER BY owner"
            ) { WorkerID(rawValue: $0.text(0)) }
        }
    }
}
