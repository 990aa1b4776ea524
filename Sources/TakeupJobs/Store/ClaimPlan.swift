internal import TakeupLanes
internal import TakeupSQL

/// What a claim looks for, from what waits and what its worker may take.
struct ClaimPlan {
    let scope: ClaimScope
    /// Whether anything may start now.
    var isDue = false
    /// Whether a queued job has a key.
    var hasKeys = false
    /// What waiting jobs ask for and the worker has; nil where no job asks for anything and the worker takes such.
    var needs: [String]?
    /// Keys of which enough jobs run.
    var fullKeys: [String] = []

    init(_ scope: ClaimScope) { self.scope = scope }

    /// Ends the condition of a query for jobs; empty in most queues.
    fileprivate var condition: String {
        fullKeys.isEmpty ? asked : "\(asked) AND share NOT IN (\(Self.list(fullKeys)))"
    }

    /// As `condition`, also for jobs whose key has to wait.
    fileprivate var asked: String {
        (needs.map { " AND need IN (\(Self.list($0)))" } ?? "") + exception
    }

    /// Ends the condition of a query for jobs that the worker does not leave to others; empty for most workers.
    fileprivate var exception: String {
        let ids = scope.leftJobs.map(\.rawValue)
        return ids.isEmpty ? "" : " AND id NOT IN (\(Self.list(ids)))"
    }

    /// Writes names as a list, which is never empty; they hold no quote: see `JobSpec.isName`.
    static func list(_ names: [String]) -> String {
        (names.isEmpty ? ["-"] : names).map { "'\($0.replacing("'", with: "''"))'" }
            .joined(separator: ", ")
    }

    func firstQueued(_ dialect: SQLDialect? = nil) -> String {
        """
        SELECT sequence, priority, run_at FROM job INDEXED BY job_queued
        WHERE state = 'queued' AND \(SQLJobStore.isFree)\(condition)
        ORDER BY priority DESC, sequence LIMIT ?1 \(dialect?.free ?? "")
        """
    }

    func firstOverdue(_ dialect: SQLDialect? = nil) -> String {
        """
        SELECT sequence FROM job INDEXED BY job_due
        WHERE state IN ('queued', 'scheduled') AND run_at <= ?1
            AND \(SQLJobStore.isFree)\(condition)
        ORDER BY run_at, sequence LIMIT ?2 \(dialect?.free ?? "")
        """
    }

    /// Within one priority: the jobs with the earliest due time.
    func firstDue(_ dialect: SQLDialect? = nil) -> String {
        """
        SELECT sequence, priority, run_at FROM job INDEXED BY job_scheduled
        WHERE state = 'scheduled' AND priority = ?1 AND run_at <= ?2
            AND \(SQLJobStore.isFree)\(condition)
        ORDER BY run_at, sequence LIMIT ?3 \(dialect?.free ?? "")
        """
    }

    /// The keys that queued jobs have, each with how many of its jobs run; a step in the index for each.
    private static let keys = """
        WITH RECURSIVE step (share) AS (
            SELECT min(share) FROM job INDEXED BY job_share WHERE state = 'queued' AND share <> ''
            UNION ALL
            SELECT (SELECT min(share) FROM job INDEXED BY job_share
                WHERE state = 'queued' AND share <> '' AND share > step.share)
            FROM step WHERE share IS NOT NULL)
        SELECT share, (SELECT count(*) FROM job INDEXED BY job_sharing
            WHERE state = 'running' AND share <> '' AND share = step.share)
        FROM step WHERE share IS NOT NULL
        """

    /// Passes over the keys of which as many jobs run as may.
    ///
    /// One claim at a time counts, so that no two take the last place; whoever comes second sees the first one's job.
    mutating func leaveOutFullKeys(_ connection: any SQLConnection) throws(SQLError) {
        if scope.mostPerKey != nil, let lock = connection.dialect.lockText {
            _ = try connection.query(lock, [.text("keys")]) { _ in }
        }
        try findFullKeys(connection)
    }

    fileprivate mutating func findFullKeys(_ connection: any SQLConnection) throws(SQLError) {
        guard let most = scope.mostPerKey else { return }
        fullKeys = try connection.query(
            """
            SELECT share FROM job INDEXED BY job_sharing WHERE state = 'running' AND share <> ''
            GROUP BY share HAVING count(*) >= ?1
            """, [.integer(most)]
        ) { $0.text(0) }
    }

    /// Among the queued jobs of the highest priority, one of the key of which the fewest run.
    ///
    /// - Returns: nil where jobs that wait for a time may come first, or none has a key.
    func fairest(_ connection: any SQLConnection) throws(SQLError) -> Int64? {
        let shares = try connection.query(Self.keys) { ($0.text(0), $0.integer(1)) }
            .filter { !fullKeys.contains($0.0) }
        var heads: [(priority: Int64, running: Int64, sequence: Int64)] = []
        for (share, running) in shares {
            let head = try connection.query(
                """
                SELECT sequence, priority FROM job INDEXED BY job_share
                WHERE state = 'queued' AND share <> '' AND share = ?1
                    AND \(SQLJobStore.isFree)\(condition)
                ORDER BY priority DESC, sequence LIMIT 1
                """, [.text(share)]
            ) { ($0.integer(0), $0.integer(1)) }.first
            if let head { heads.append((head.1, running, head.0)) }
        }
        let others = try connection.query(firstQueued(), [.integer(1)]) {
            ($0.integer(0), $0.integer(1))
        }.first
        // Who has no key waits as long as the one who came first.
        if let others, let top = heads.map(\.priority).max(), others.1 > top { return nil }
        let order = heads.sorted {
            ($1.priority, $0.running, $0.sequence) < ($0.priority, $1.running, $1.sequence)
        }
        for head in order {
            let locked = try connection.query(
                """
                SELECT sequence FROM job WHERE sequence = ?1 AND state = 'queued'
                \(connection.dialect.free)
                """, [.integer(head.sequence)]
            ) { $0.integer(0) }.first
            if let locked { return locked }
        }
        return nil
    }
}

extension SQLJobStore {
    /// Looks whether anything is due, and notes when the next job is.
    func plan(_ scope: ClaimScope) throws(JobStoreError) -> ClaimPlan {
        var plan = ClaimPlan(scope)
        let exception = plan.exception
        let found = try look { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT EXISTS (SELECT 1 FROM job INDEXED BY job_queued
                        WHERE state = 'queued' AND \(Self.isFree)\(exception))
                    OR EXISTS (SELECT 1 FROM job INDEXED BY job_due
                        WHERE state IN ('queued', 'scheduled') AND run_at <= ?1
                            AND \(Self.isFree)\(exception)),
                    (SELECT min(run_at) FROM job INDEXED BY job_due
                        WHERE state IN ('queued', 'scheduled')\(exception)),
                    EXISTS (SELECT 1 FROM job INDEXED BY job_need
                        WHERE state IN ('queued', 'scheduled') AND need <> ''),
                    EXISTS (SELECT 1 FROM job INDEXED BY job_share
                        WHERE state = 'queued' AND share <> '')
                """, [.real(now())]
            ) { ($0.flag(0), $0.optionalReal(1), $0.flag(2), $0.flag(3)) }.first
        }
        guard let found else { return plan }
        nextStart.withLock { $0 = found.1 }
        (plan.isDue, plan.hasKeys) = (found.0, found.3)
        guard plan.isDue else { return plan }
        if found.2 || !scope.accepts("") {
            plan.needs = try needs().filter(scope.accepts) + (scope.accepts("") ? [""] : [])
        }
        guard plan.needs != [] else {
            nextStart.withLock { $0 = nil }
            plan.isDue = false
            return plan
        }
        return plan.needs != nil || scope.mostPerKey != nil ? try narrowed(plan) : plan
    }

    /// Looks whether what is due is anything that this worker may take: without that, each look would end in a claim of
    /// nothing.
    private func narrowed(_ plan: ClaimPlan) throws(JobStoreError) -> ClaimPlan {
        let (narrowed, next) = try look { (connection) throws(SQLError) -> (ClaimPlan, Double?) in
            var plan = plan
            try plan.findFullKeys(connection)
            plan.isDue =
                try connection.query(
                    """
                    SELECT EXISTS (SELECT 1 FROM job INDEXED BY job_queued
                            WHERE state = 'queued' AND \(Self.isFree)\(plan.condition))
                        OR EXISTS (SELECT 1 FROM job INDEXED BY job_due
                            WHERE state IN ('queued', 'scheduled') AND run_at <= ?1
                                AND \(Self.isFree)\(plan.condition))
                    """, [.real(now())]
                ) { $0.flag(0) } == [true]
            guard !plan.isDue else { return (plan, nil) }
            let next = try connection.query(
                """
                SELECT min(run_at) FROM job INDEXED BY job_due
                WHERE state IN ('queued', 'scheduled')\(plan.asked)
                """
            ) { $0.optionalReal(0) }
            return (plan, next.first ?? nil)
        }
        if !narrowed.isDue { nextStart.withLock { $0 = next } }
        return narrowed
    }

    /// What waiting jobs ask for; a step in the index for each.
    private func needs() throws(JobStoreError) -> [String] {
        try look { (connection) throws(SQLError) in
            try connection.query(
                """
                WITH RECURSIVE step (need) AS (
                    SELECT min(need) FROM job INDEXED BY job_need
                    WHERE state IN ('queued', 'scheduled') AND need <> ''
                    UNION ALL
                    SELECT (SELECT min(need) FROM job INDEXED BY job_need
                        WHERE state IN ('queued', 'scheduled') AND need <> ''
                            AND need > step.need)
                    FROM step WHERE need IS NOT NULL)
                SELECT need FROM step WHERE need IS NOT NULL
                """
            ) { $0.text(0) }
        }
    }
}
