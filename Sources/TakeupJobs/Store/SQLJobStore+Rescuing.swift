internal import TakeupSQL

extension SQLJobStore {
    public func rescue(
        deadWorkers: [WorkerID], held: Set<Int64>, takesExpired: Bool
    ) throws(JobStoreError) -> [RescuedLease] {
        let lost = try look { (connection) throws(SQLError) in
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
        for (found, until) in lost {
            let isGone = dead.contains(found.lease.worker)
            let isExpired = takesExpired && until <= time && !held.contains(found.lease.token)
            guard isGone || isExpired else { continue }
            // A lease that was renewed meanwhile stands.
            let state = try end(
                found.lease, .leaseLost, EndedAttempt(), leasedUntil: isGone ? .infinity : time,
                isRescue: true)
            if state != nil { rescued.append(found) }
        }
        if !rescued.isEmpty { tellOfWork() }
        return rescued
    }

    public func leaseholders() throws(JobStoreError) -> [WorkerID] {
        try look { (connection) throws(SQLError) in
            try connection.query(
                "SELECT DISTINCT owner FROM job WHERE state = 'running' ORDER BY owner"
            ) { WorkerID(rawValue: $0.text(0)) }
        }
    }

    public func settleClock() throws(JobStoreError) -> Int {
        // A look first: nearly always there is nothing, and nobody is to wait for that.
        let time = now()
        let isAhead = try look { (connection) throws(SQLError) in
            try connection.query(
                """
                \(JobGroup.waiting)
                SELECT EXISTS (SELECT 1 FROM waiting WHERE EXISTS (
                        SELECT 1 FROM job INDEXED BY job_due
                        WHERE state IN ('queued', 'scheduled') AND need = waiting.need
                            AND share = waiting.share AND run_at > ?1 AND noted_at > ?1))
                    OR EXISTS (SELECT 1 FROM job WHERE state = 'running' AND noted_at > ?1)
                """, [.real(time + Self.clockSlackSeconds)]
            ) { $0.flag(0) }.first ?? false
        }
        guard isAhead else { return 0 }
        return try change { [self] (connection) throws(SQLError) in
            let time = now()
            let values: [SQLValue] = [.real(time), .real(time + Self.clockSlackSeconds)]
            let waiting = try connection.run(
                """
                UPDATE job SET run_at = ?1 + (run_at - noted_at), noted_at = ?1
                WHERE state IN ('queued', 'scheduled') AND run_at > ?2 AND noted_at > ?2
                """, values)
            let running = try connection.run(
                """
                UPDATE job SET lease_until = ?1 + (lease_until - noted_at), noted_at = ?1
                WHERE state = 'running' AND noted_at > ?2
                """, values)
            return waiting + running
        }
    }

    /// By how much a time may be ahead without meaning anything: clocks are read before a write waits for its turn.
    private static let clockSlackSeconds = 1.0
}
