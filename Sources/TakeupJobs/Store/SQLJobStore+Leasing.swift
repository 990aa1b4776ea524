internal import TakeupLanes
internal import TakeupModel
internal import TakeupSQL

extension SQLJobStore {
    public func claim(
        by worker: WorkerID, leaseSeconds: Double, in scope: ClaimScope
    ) throws(JobStoreError) -> (Lease, JobRecord)? {
        precondition(leaseSeconds > 0, "a lease must last")
        if let found = try lostClaim(of: worker, leaseSeconds) { return found }
        // A look without the write lock, so that idle workers stand in nobody's way.
        let began = ContinuousClock.now
        let plan = try plan(scope)
        let looked = ContinuousClock.now
        guard plan.isDue(at: now()) else { return nil }
        let asked = Locked<Int64?>(nil)
        let found: (token: Int64, read: JobColumns.Reading)?
        do throws(JobStoreError) {
            found = try lease {
                [self]
                (connection) throws(SQLError) -> (Int64, JobColumns.Reading)? in
                if let token = asked.withLock({ $0 }),
                    let row = try claimed(token, by: worker, connection)
                {
                    return (token, { row })
                }
                let number = try Self.nextToken(connection)
                guard let (sequence, read) = try next(number, plan, connection) else { return nil }
                let token = try number()
                asked.withLock { $0 = token }
                let time = now()
                try take(sequence, token, for: worker, at: time, leaseSeconds, connection)
                return (
                    token,
                    {
                        read().map {
                            $0.claimed(token, by: worker, until: time + leaseSeconds, at: time)
                        }
                    }
                )
            }
        } catch {
            if error.isOutcomeUnknown, let token = asked.withLock({ $0 }) {
                unsettled.noteClaim(token, of: worker)
            }
            throw error
        }
        guard let (token, read) = found else {
            // What was due is being taken by others.
            let pause = max(Self.passedOverSeconds, (looked - began) / .seconds(1))
            known.withLock { $0.start = now() + pause * (1 + random()) }
            return nil
        }
        do throws(JobStoreError) {
            let record = try read().get()
            return (Lease(job: record.id, token: token, worker: worker), record)
        } catch {
            try setAside(token)
            throw error
        }
    }

    /// Until a job that somebody else had locked may be free again, at least; a look at many groups takes longer.
    private static let passedOverSeconds = 0.025

    /// Gives a job to a worker, in the transaction that has found it.
    private func take(
        _ sequence: Int64, _ token: Int64, for worker: WorkerID, at time: Double,
        _ leaseSeconds: Double, _ connection: any SQLConnection
    ) throws(SQLError) {
        try connection.runLater(
            """
            UPDATE job SET state = 'running', token = ?2, owner = ?3, lease_until = ?4,
                started_at = ?5, noted_at = ?5, finished_at = NULL, work_key = NULL,
                progress = NULL, note = NULL
            WHERE sequence = ?1
            """,
            [
                .integer(sequence), .integer(token), .text(worker.rawValue),
                .real(time + leaseSeconds), .real(time),
            ])
    }

    /// Asks for the claim's token, which is read when it is needed.
    private static func nextToken(
        _ connection: any SQLConnection
    ) throws(SQLError) -> () throws(SQLError) -> Int64 {
        try connection.numberLater(
            connection.dialect == .postgres
                ? "SELECT nextval('job_token_number')"
                : "UPDATE job_token SET last = last + 1 RETURNING last")
    }

    /// The job that a worker runs under a token.
    private func claimed(
        _ token: Int64, by worker: WorkerID, _ connection: any SQLConnection
    ) throws(SQLError) -> Result<JobRecord, JobStoreError>? {
        try connection.query(
            """
            SELECT \(JobColumns.all) FROM job
            WHERE token = ?1 AND owner = ?2 AND state = 'running'
            """, [.integer(token), .text(worker.rawValue)]
        ) { JobColumns.record($0) }.first
    }

    /// A job that a worker got by a claim whose commit was not answered, if its lease stands.
    private func lostClaim(
        of worker: WorkerID, _ leaseSeconds: Double
    ) throws(JobStoreError) -> (Lease, JobRecord)? {
        while let token = unsettled.takeClaim(of: worker) {
            do throws(JobStoreError) {
                // Waits for a standby, as the claim did: a new primary might give its token again.
                let row = try change(.rows) { [self] (connection) throws(SQLError) in
                    try claimed(token, by: worker, connection)
                }
                guard let row else { continue }
                if case .failure = row { try setAside(token) }
                let record = try row.get()
                let lease = Lease(job: record.id, token: token, worker: worker)
                switch try renew([Heartbeat(lease)], leaseSeconds: leaseSeconds).first {
                case .kept, .cancelRequested: return (lease, record)
                case .lost, nil: continue
                case .locked:
                    // The next claim asks again.
                    unsettled.noteClaim(token, of: worker)
                    return nil
                }
            } catch {
                unsettled.noteClaim(token, of: worker)
                throw error
            }
        }
        return nil
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

    /// True for a job without a work key, and if no running job has the same work key.
    ///
    /// Statements name their index: without figures on what the tables hold, SQLite takes the one of all states.
    /// Asked of what runs now and noted nowhere, so that no end of an attempt, whatever it was, can leave a job behind.
    static let isFree = """
        (work_key IS NULL OR NOT EXISTS (SELECT 1 FROM job AS other INDEXED BY job_running
            WHERE other.state = 'running' AND other.work_key = job.work_key))
        """

    /// Whether job `?1` runs under the token `?2`.
    private static let isHeld = "id = ?1 AND token = ?2 AND state = 'running'"

    public func renew(
        _ beats: [Heartbeat], leaseSeconds: Double
    ) throws(JobStoreError) -> [Renewal] {
        guard !beats.isEmpty else { return [] }
        return try beat { (connection) throws(SQLError) in
            let time = now()
            var answers: [Renewal] = []
            for beat in beats {
                // Past a locked row: the leases of the other jobs do not wait for it.
                let rows = try connection.query(
                    """
                    UPDATE job SET lease_until = ?3, noted_at = ?5,
                        progress = coalesce(?4, progress)
                    WHERE sequence = (SELECT sequence FROM job WHERE \(Self.isHeld)
                        \(connection.dialect.free)) RETURNING cancel_requested
                    """,
                    [
                        .text(beat.lease.job.rawValue), .integer(beat.lease.token),
                        .real(time + leaseSeconds),
                        .text(beat.progress.map { JobColumns.encoded($0) }), .real(time),
                    ]
                ) { $0.flag(0) }
                if let isCancelled = rows.first {
                    answers.append(isCancelled ? .cancelRequested : .kept)
                } else {
                    let isThere = try !connection.query(
                        "SELECT 1 FROM job WHERE \(Self.isHeld)",
                        [.text(beat.lease.job.rawValue), .integer(beat.lease.token)]
                    ) { _ in true }.isEmpty
                    answers.append(isThere ? .locked : .lost)
                }
            }
            return answers
        }
    }
}
