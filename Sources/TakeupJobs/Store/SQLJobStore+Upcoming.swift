internal import TakeupSQL

extension SQLJobStore {
    public func upcoming(limit: Int) throws(JobStoreError) -> [JobSpec] {
        guard limit > 0 else { return [] }
        let time = now()
        return try look { (connection) throws(SQLError) in
            let order = try Self.order(limit, at: time, connection)
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
        _ limit: Int, at time: Double, _ connection: any SQLConnection
    ) throws(SQLError) -> ClaimOrder {
        let plan = ClaimPlan(ClaimScope())
        let last =
            connection.dialect == .postgres
            ? "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM job_token_number"
            : "SELECT last FROM job_token"
        let token = try connection.query(last) { $0.integer(0) }.first ?? 0
        var order = ClaimOrder(token: token)
        let most = SQLValue.integer(limit)
        order.queued = try connection.query(plan.firstQueued(), [most]) { candidate($0) }
        for priority in try duePriorities(at: time, connection) where order.due.count < limit {
            order.due += try connection.query(
                plan.firstDue(), [.integer(priority), .real(time), most]
            ) { candidate($0) }
        }
        order.overdue = try connection.query(
            plan.firstOverdue(), [.real(time - AgingPolicy.overdueSeconds), most]
        ) { $0.integer(0) }
        return order
    }

    private static func candidate(_ row: any SQLRow) -> ClaimOrder.Candidate {
        ClaimOrder.Candidate(sequence: row.integer(0), priority: row.integer(1))
    }
}
