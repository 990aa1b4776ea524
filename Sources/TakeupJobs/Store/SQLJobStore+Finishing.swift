internal import TakeupLanes
internal import TakeupSQL

extension SQLJobStore {
    public func begin(
        _ lease: Lease, workKey: String
    ) throws(JobStoreError) -> WorkAdmission {
        try change(.rows) { (connection) throws(SQLError) in
            // Two that begin the same work at once do not see each other.
            if let lock = connection.dialect.lockText {
                _ = try connection.query(lock, [.text(workKey)]) { _ in }
            }
            let changed = try connection.run(
                """
                UPDATE job SET work_key = ?3 WHERE id = ?1 AND token = ?2 AND state = 'running'
                    AND NOT EXISTS (SELECT 1 FROM job INDEXED BY job_running
                        WHERE work_key = ?3 AND state = 'running' AND id <> ?1)
                """, [.text(lease.job.rawValue), .integer(lease.token), .text(workKey)])
            if changed > 0 { return .admitted }
            let other = try connection.query(
                """
                SELECT other.id FROM job JOIN job AS other INDEXED BY job_running
                    ON other.work_key = ?3 AND other.state = 'running' AND other.id <> ?1
                WHERE job.id = ?1 AND job.token = ?2 AND job.state = 'running'
                LIMIT 1
                """, [.text(lease.job.rawValue), .integer(lease.token), .text(workKey)]
            ) { JobID(rawValue: $0.text(0)) }.first
            return other.map { .busy($0) } ?? .leaseLost
        }
    }

    public func announce(
        _ lease: Lease, _ publication: Publication
    ) throws(JobStoreError) -> Bool {
        try change(.rows) { (connection) throws(SQLError) in
            try connection.run(
                """
                UPDATE job SET publication = ?3 WHERE id = ?1 AND token = ?2 AND state = 'running'
                """,
                [
                    .text(lease.job.rawValue), .integer(lease.token),
                    .text(JobColumns.encoded(publication)),
                ]) > 0
        }
    }

    public func finish(
        _ lease: Lease, _ outcome: JobOutcome
    ) throws(JobStoreError) -> JobState? {
        do throws(JobStoreError) {
            let state = try write(lease, outcome)
            unsettled.settleEnd(lease.token)
            // It waits for any worker now.
            if state == .queued { tellOfWork() }
            return state
        } catch {
            if error.isOutcomeUnknown { unsettled.noteEnd(lease.token) }
            throw error
        }
    }

    private func write(
        _ lease: Lease, _ outcome: JobOutcome
    ) throws(JobStoreError) -> JobState? {
        switch outcome {
        case .succeeded(let result):
            try end(lease, .succeeded, EndedAttempt(result: result))
        case .cached(let result):
            try end(lease, .answeredFromCache, EndedAttempt(result: result))
        case .failed(let fault, let retryable):
            try end(lease, .failed(retryable: retryable), EndedAttempt(fault: fault))
        case .crashed(let fault):
            try end(lease, .crashed, EndedAttempt(fault: fault))
        case .returned(let note, let delaySeconds, let workKey):
            try end(
                lease, .returned(isDelayed: delaySeconds > 0),
                EndedAttempt(note: note, workKey: workKey, delaySeconds: delaySeconds))
        case .cancelled:
            try end(lease, .stopped, EndedAttempt())
        }
    }

    /// Ends a running attempt, if its lease still stands and was not renewed beyond `latest`.
    ///
    /// - Parameters:
    ///   - lease: The holder's.
    ///   - event: How it ends.
    ///   - attempt: What is written besides.
    ///   - latest: A lease that was renewed beyond it stands.
    ///   - isRescue: Whether another one than its holder ends it: whoever has a lock on the job stays undisturbed.
    /// - Returns: The state after it; nil when the lease was lost, or a rescue met a lock.
    /// - Throws: `JobStoreError`.
    func end(
        _ lease: Lease, _ event: JobStateMachine.Event, _ attempt: EndedAttempt,
        leasedUntil latest: Double = .infinity, isRescue: Bool = false
    ) throws(JobStoreError) -> JobState? {
        let tries = Locked(0)
        return try change(.rows) { [self] (connection) throws(SQLError) in
            let isAgain = tries.withLock { tries in
                defer { tries += 1 }
                return tries > 0 || unsettled.isEnd(lease.token)
            }
            let machines = try connection.query(
                """
                SELECT \(JobColumns.machine) FROM job
                WHERE id = ?1 AND token = ?2 AND state = 'running' AND lease_until <= ?3
                \(isRescue ? connection.dialect.free : connection.dialect.locked)
                """, [.text(lease.job.rawValue), .integer(lease.token), .real(latest)]
            ) { JobColumns.machine($0, from: 0) }
            guard var machine = machines.first ?? nil else {
                return isAgain && !isRescue ? try ended(lease, connection) : nil
            }
            let action = machine.apply(event)
            let delay = delay(after: action, attempt)
            try write(
                machine, attempt, runAt: now() + delay, of: lease.job,
                endedToken: isRescue ? nil : lease.token, connection)
            return machine.state
        }
    }

    /// The state of a job that its own worker has ended by a write that was not answered.
    private func ended(
        _ lease: Lease, _ connection: any SQLConnection
    ) throws(SQLError) -> JobState? {
        try connection.query(
            "SELECT state FROM job WHERE id = ?1 AND token = ?2 AND ended_token = ?2",
            [.text(lease.job.rawValue), .integer(lease.token)]
        ) { JobState(rawValue: $0.text(0)) }.first ?? nil
    }

    private func delay(after action: JobStateMachine.Action, _ ended: EndedAttempt) -> Double {
        switch action {
        case .retry(let attempt): retryPolicy.delay(attempt: attempt, random: random())
        case .start, .complete, .requeue, .giveUp, .quarantine, .stopWorker, .letWorkerGoOn,
            .ignore:
            ended.delaySeconds
        }
    }

    private func write(
        _ machine: JobStateMachine, _ attempt: EndedAttempt, runAt: Double, of job: JobID,
        endedToken: Int64?, _ connection: any SQLConnection
    ) throws(SQLError) {
        let isTerminal = machine.state.isTerminal
        try connection.runLater(
            """
            UPDATE job SET state = ?2, failures = ?3, crashes = ?4, interruptions = ?5,
                cancel_requested = ?6, owner = NULL, lease_until = NULL,
                run_at = CASE WHEN ?7 <> 0 THEN run_at ELSE ?8 END, noted_at = ?9,
                finished_at = CASE WHEN ?7 <> 0 THEN ?9 END,
                result = coalesce(?10, result),
                fault = CASE WHEN ?2 IN ('succeeded', 'cached') THEN NULL
                    ELSE coalesce(?11, fault) END,
                note = ?12, work_key = coalesce(?13, work_key),
                ended_token = coalesce(?14, ended_token)
            WHERE id = ?1
            """,
            [
                .text(job.rawValue), .text(machine.state.rawValue), .integer(machine.failures),
                .integer(machine.crashes), .integer(machine.interruptions),
                .flag(machine.isCancelRequested), .flag(isTerminal), .real(runAt), .real(now()),
                .text(attempt.result.map { JobColumns.encoded($0) }),
                .text(attempt.fault.map { JobColumns.encoded($0) }), .text(attempt.note),
                .text(attempt.workKey), .integer(endedToken),
            ])
    }
}
