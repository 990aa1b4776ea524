internal import TakeupLanes
internal import TakeupSQL

/// The queries of a claim, each within one group: `?1` is what its jobs ask for, `?2` their key.
///
/// How many are asked for is a part of the text: a server's plan for any number would be one for many.
enum ClaimQuery {
    /// By priority, at least `?3`, and acceptance, no later than `?4`.
    static func queued(_ exception: String, _ limit: Int = 1, _ dialect: SQLDialect? = nil)
        -> String
    {
        """
        SELECT sequence, priority, run_at FROM job INDEXED BY job_queued
        WHERE state = 'queued' AND need = ?1 AND share = ?2 AND priority >= ?3 AND sequence <= ?4
            AND \(SQLJobStore.isFree)\(exception)
        ORDER BY priority DESC, sequence LIMIT \(limit) \(dialect?.free ?? "")
        """
    }

    /// The bounds of `queued` that leave out none.
    static let anyQueued: [SQLValue] = [.integer(Int64.min), .integer(Int64.max)]

    /// Of one priority, `?3`, those whose time has come at `?4`, the earliest first.
    static func timed(_ exception: String, _ limit: Int = 1, _ dialect: SQLDialect? = nil) -> String
    {
        """
        SELECT sequence, priority, run_at FROM job INDEXED BY job_scheduled
        WHERE state = 'scheduled' AND need = ?1 AND share = ?2 AND priority = ?3 AND run_at <= ?4
            AND \(SQLJobStore.isFree)\(exception)
        ORDER BY run_at, sequence LIMIT \(limit) \(dialect?.free ?? "")
        """
    }

    /// What has waited since `?3` or longer, queued or not, the longest first.
    static func overdue(_ exception: String, _ limit: Int = 1, _ dialect: SQLDialect? = nil)
        -> String
    {
        """
        SELECT sequence, priority, run_at FROM job INDEXED BY job_due
        WHERE state IN ('queued', 'scheduled') AND need = ?1 AND share = ?2 AND run_at <= ?3
            AND \(SQLJobStore.isFree)\(exception)
        ORDER BY run_at, sequence LIMIT \(limit) \(dialect?.free ?? "")
        """
    }

    /// Ends the condition of a query for jobs that the worker does not leave to others; empty for most workers.
    static func exception(_ scope: ClaimScope) -> String {
        let ids = scope.leftJobs.map { "'\($0.rawValue.replacing("'", with: "''"))'" }
        return ids.isEmpty ? "" : " AND id NOT IN (\(ids.joined(separator: ", ")))"
    }
}

extension SQLJobStore {
    /// Looks at what a worker may take, and notes when the next job is due.
    func plan(_ scope: ClaimScope) throws(JobStoreError) -> ClaimPlan {
        let time = now()
        let plan = try look { (connection) throws(SQLError) in
            try Self.plan(scope, at: time, connection)
        }
        known.withLock { $0 = KnownWork(plan, at: time) }
        return plan
    }

    static func plan(
        _ scope: ClaimScope, at time: Double, _ connection: any SQLConnection
    ) throws(SQLError) -> ClaimPlan {
        let exception = ClaimQuery.exception(scope)
        let (groups, areScheduled) = try JobGroup.all(exception, connection)
        var accepted: [String: Bool] = [:]
        func accepts(_ need: String) -> Bool {
            let answer = accepted[need] ?? scope.accepts(need)
            accepted[need] = answer
            return answer
        }
        let due = areScheduled ? try DueJobs.all(at: time, exception, connection) : []
        var plan = ClaimPlan(
            scope: scope, groups: groups.filter { accepts($0.need) },
            due: due.filter { accepts($0.need) }, running: [:])
        if plan.hasKeys { plan.running = try running(connection) }
        return plan
    }

    /// How many jobs of each key run; those without a key are under the empty one.
    static func running(_ connection: any SQLConnection) throws(SQLError) -> [String: Int] {
        let rows = try connection.query(
            """
            SELECT share, count(*) FROM job INDEXED BY job_running WHERE state = 'running'
            GROUP BY share
            """
        ) { ($0.text(0), Int($0.integer(1))) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// Which job comes next; nil when other workers were faster.
    func next(
        _ token: Int64, _ plan: ClaimPlan, _ connection: any SQLConnection
    ) throws(SQLError) -> Int64? {
        var plan = plan
        if plan.hasKeys {
            // One claim at a time counts against a limit, so that no two take the last place of a key.
            if plan.scope.mostPerKey != nil, let lock = connection.dialect.lockText {
                _ = try connection.query(lock, [.text("keys")]) { _ in }
            }
            // What others have taken since the look.
            plan.running = try Self.running(connection)
        }
        let exception = ClaimQuery.exception(plan.scope)
        let dialect = connection.dialect
        let time = now()
        if AgingPolicy.prefersOverdue(token: token) {
            let since = time - AgingPolicy.overdueSeconds
            for group in plan.overdue(since: since).prefix(Self.mostTries) {
                let found = try connection.query(
                    ClaimQuery.overdue(exception, 1, dialect),
                    [.text(group.need), .text(group.share), .real(since)]
                ) { $0.integer(0) }.first
                if let found { return found }
            }
        }
        for step in plan.steps(at: time, random).prefix(Self.mostTries) {
            let found = try connection.query(
                step.isTimed
                    ? ClaimQuery.timed(exception, 1, dialect)
                    : ClaimQuery.queued(exception, 1, dialect),
                [
                    .text(step.need), .text(step.share), .integer(step.priority),
                    step.isTimed ? .real(step.until) : .integer(step.last),
                ]
            ) { $0.integer(0) }.first
            if let found { return found }
        }
        return nil
    }

    /// The most queries of one claim, where other workers hold what it finds; the next claim looks again.
    private static let mostTries = 96
}
