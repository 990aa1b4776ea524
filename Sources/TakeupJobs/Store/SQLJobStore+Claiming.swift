internal import TakeupLanes
internal import TakeupSQL

/// The queries for the next job, each within one group: `?1` is what its jobs ask for, `?2` their key.
struct ClaimQuery {
    private let columns: String
    /// Ends the condition.
    private var exception = ""
    /// A part of the text: a server's plan for any number would be one for many.
    private var limit = 1
    private var locking = ""

    /// For what each may be: its sequence, priority and start time.
    static func order(_ limit: Int) -> ClaimQuery {
        ClaimQuery(columns: "sequence, priority, run_at", limit: limit)
    }

    /// For the whole row of a job that nobody else has or takes, without those that the worker leaves to others.
    static func claim(_ scope: ClaimScope, _ dialect: SQLDialect) -> ClaimQuery {
        ClaimQuery(
            columns: JobColumns.all, exception: exception(scope), locking: dialect.free)
    }

    /// By priority, at least `?3`, and acceptance, no later than `?4`.
    var queued: String {
        """
        SELECT \(columns) FROM job INDEXED BY job_queued
        WHERE state = 'queued' AND need = ?1 AND share = ?2 AND priority >= ?3 AND sequence <= ?4
            AND \(SQLJobStore.isFree)\(exception)
        ORDER BY priority DESC, sequence LIMIT \(limit) \(locking)
        """
    }

    /// The bounds of `queued` that leave out none.
    static let anyQueued: [SQLValue] = [.integer(Int64.min), .integer(Int64.max)]

    /// Of one priority, `?3`, those whose time has come at `?4`, the earliest first.
    var timed: String {
        """
        SELECT \(columns) FROM job INDEXED BY job_scheduled
        WHERE state = 'scheduled' AND need = ?1 AND share = ?2 AND priority = ?3 AND run_at <= ?4
            AND \(SQLJobStore.isFree)\(exception)
        ORDER BY run_at, sequence LIMIT \(limit) \(locking)
        """
    }

    /// What has waited since `?3` or longer, queued or not, the longest first.
    var overdue: String {
        """
        SELECT \(columns) FROM job INDEXED BY job_due
        WHERE state IN ('queued', 'scheduled') AND need = ?1 AND share = ?2 AND run_at <= ?3
            AND \(SQLJobStore.isFree)\(exception)
        ORDER BY run_at, sequence LIMIT \(limit) \(locking)
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
        let (plan, time) = try lookAhead { [self] (connection) throws(SQLError) in
            let time = now()
            return (try Self.plan(scope, at: time, connection), time)
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

    /// Which job comes next: its sequence and its row; nil when other workers were faster.
    func next(
        _ token: () throws(SQLError) -> Int64, _ plan: ClaimPlan, _ connection: any SQLConnection
    ) throws(SQLError) -> (Int64, JobColumns.Reading)? {
        var plan = plan
        if plan.hasKeys {
            // One claim at a time counts against a limit, so that no two take the last place of a key.
            if plan.scope.mostPerKey != nil, let lock = connection.dialect.lockText {
                _ = try connection.query(lock, [.text("keys")]) { _ in }
            }
            // What others have taken since the look.
            plan.running = try Self.running(connection)
        }
        let query = ClaimQuery.claim(plan.scope, connection.dialect)
        func first(
            _ text: String, _ values: [SQLValue]
        ) throws(SQLError) -> (Int64, JobColumns.Reading)? {
            try connection.query(text, values) {
                (JobColumns.sequence($0), JobColumns.reading($0))
            }.first
        }
        let time = now()
        let since = time - AgingPolicy.overdueSeconds
        let overdue = plan.overdue(since: since)
        if !overdue.isEmpty, AgingPolicy.prefersOverdue(token: try token()) {
            for group in overdue.prefix(Self.mostTries) {
                let values: [SQLValue] = [.text(group.need), .text(group.share), .real(since)]
                if let found = try first(query.overdue, values) { return found }
            }
        }
        for step in plan.steps(at: time, random).prefix(Self.mostTries) {
            let found = try first(
                step.isTimed ? query.timed : query.queued,
                [
                    .text(step.need), .text(step.share), .integer(step.priority),
                    step.isTimed ? .real(step.until) : .integer(step.last),
                ])
            if let found { return found }
        }
        return nil
    }

    /// The most queries of one claim, where other workers hold what it finds; the next claim looks again.
    private static let mostTries = 96
}
