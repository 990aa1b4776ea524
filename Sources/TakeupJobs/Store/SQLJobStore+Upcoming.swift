internal import TakeupSQL

extension SQLJobStore {
    public func upcoming(
        limit: Int, in scope: ClaimScope
    ) throws(JobStoreError) -> [JobSpec] {
        guard limit > 0 else { return [] }
        let time = now()
        return try look { (connection) throws(SQLError) in
            let order = try Self.order(limit, in: scope, at: time, connection)
            var specs: [JobSpec] = []
            for sequence in order.next(limit) {
                let texts = try connection.query(
                    "SELECT spec FROM job WHERE sequence = ?1", [.integer(sequence)]
                ) { $0.text(0) }
                let spec: JobSpec? = texts.first.flatMap(JobColumns.decoded)
                if let spec, spec.version <= JobSpec.currentVersion { specs.append(spec) }
            }
            return specs
        }
    }

    /// The first ones by priority, those whose time has come, and the overdue ones.
    private static func order(
        _ limit: Int, in scope: ClaimScope, at time: Double, _ connection: any SQLConnection
    ) throws(SQLError) -> ClaimOrder {
        let last =
            connection.dialect == .postgres
            ? "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM job_token_number"
            : "SELECT last FROM job_token"
        let token = try connection.query(last) { $0.integer(0) }.first ?? 0
        let plan = try plan(scope, at: time, connection)
        var (queued, timed, overdue): ([Waiting], [Waiting], [Waiting]) = ([], [], [])
        func ask(
            _ text: String, _ need: String, _ share: String, _ values: [SQLValue] = []
        ) throws(SQLError) -> [Waiting] {
            let values = [.text(need), .text(share)] + values
            return try connection.query(text, values) {
                Waiting(
                    candidate: ClaimOrder.Candidate(
                        sequence: $0.integer(0), priority: $0.integer(1)), runAt: $0.real(2))
            }
        }
        let since = time - AgingPolicy.overdueSeconds
        let query = ClaimQuery.order(limit)
        // The first jobs of all are among those of the groups that begin with the first ones.
        for group in plan.byUrgency.prefix(limit) {
            queued += try ask(
                query.queued, group.need, group.share, ClaimQuery.anyQueued)
        }
        for group in plan.overdue(since: since).prefix(limit) {
            overdue += try ask(
                query.overdue, group.need, group.share, [.real(since)])
        }
        let due = plan.due.sorted {
            ($1.first.priority, $0.runAt) < ($0.first.priority, $1.runAt)
        }
        for jobs in due.prefix(limit) {
            timed += try ask(
                query.timed, jobs.need, jobs.share,
                [.integer(jobs.first.priority), .real(time)])
        }
        var order = ClaimOrder(token: token)
        order.queued = queued.map(\.candidate).sorted {
            ($1.priority, $0.sequence) < ($0.priority, $1.sequence)
        }
        order.due = timed.sorted {
            ($1.candidate.priority, $0.runAt, $0.candidate.sequence)
                < ($0.candidate.priority, $1.runAt, $1.candidate.sequence)
        }.map(\.candidate)
        order.overdue = overdue.sorted {
            ($0.runAt, $0.candidate.sequence) < ($1.runAt, $1.candidate.sequence)
        }.map(\.candidate.sequence)
        return order
    }

    /// A job that may be next, and since when.
    private struct Waiting {
        let candidate: ClaimOrder.Candidate
        let runAt: Double
    }
}
