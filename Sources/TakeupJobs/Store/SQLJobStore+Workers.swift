internal import TakeupLanes
internal import TakeupSQL

/// The register of who works.
extension SQLJobStore {
    /// Notes a sign of life.
    ///
    /// - Returns: Whether the worker may claim: not one whose database a later version has taken over.
    public func register(_ worker: WorkerEntry) throws(JobStoreError) -> Bool {
        try signal { [self] (connection) throws(SQLError) in
            let time = now()
            let version = try connection.query(
                """
                INSERT INTO worker (id, host, process, version, state, lanes, running, queues, tags,
                    started_at, seen_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, running = excluded.running,
                    seen_at = excluded.seen_at
                RETURNING (SELECT version FROM migration WHERE owner = 'jobs')
                """,
                [
                    .text(worker.id.rawValue), .text(worker.host), .integer(worker.process),
                    .text(worker.version), .text(worker.state.rawValue), .integer(worker.lanes),
                    .integer(worker.running),
                    .text(worker.scope.queues?.sorted().joined(separator: ",") ?? ""),
                    .text(worker.scope.tags.sorted().joined(separator: ",")), .real(time),
                ]
            ) { Int($0.integer(0)) }.first
            return version ?? 0 <= Self.migrator(connection.dialect).scripts.count
        }
    }

    /// Forgets a worker that has ended.
    public func unregister(_ worker: WorkerID) throws(JobStoreError) {
        _ = try signal { (connection) throws(SQLError) in
            try connection.run("DELETE FROM worker WHERE id = ?1", [.text(worker.rawValue)])
        }
    }

    /// Forgets workers that have been silent for a day.
    public func pruneWorkers() throws(JobStoreError) {
        let limit = now() - WorkerEntry.forgottenSeconds
        _ = try signal { (connection) throws(SQLError) in
            try connection.run("DELETE FROM worker WHERE seen_at < ?1", [.real(limit)])
        }
    }

    /// Writes without a wait for standbys; on a server the connection has no other use.
    private func signal<Value: Sendable>(
        _ body: (any SQLConnection) throws(SQLError) -> Value
    ) throws(JobStoreError) -> Value {
        do throws(SQLError) {
            return try signs.withLock { (connection) throws(SQLError) -> Value in
                try clock.settle(connection)
                return try connection.alone { () throws(SQLError) in try body(connection) }
            }
        } catch {
            throw .store(error)
        }
    }

    public func workers() throws(JobStoreError) -> (workers: [WorkerEntry], time: Double) {
        let found = try look { (connection) throws(SQLError) in
            try connection.query(
                """
                SELECT id, host, process, version, state, lanes, running, queues, tags, started_at,
                    seen_at FROM worker ORDER BY host, started_at, id
                """
            ) { Self.worker($0) }
        }
        return (found, now())
    }

    private static func worker(_ row: any SQLRow) -> WorkerEntry {
        func names(_ column: Int) -> Set<String> {
            Set(row.text(column).split(separator: ",").map(String.init))
        }
        let queues = names(7)
        var worker = WorkerEntry(
            id: WorkerID(rawValue: row.text(0)), host: row.text(1), process: Int(row.integer(2)),
            version: row.text(3), state: WorkerEntry.State(rawValue: row.text(4)) ?? .working,
            lanes: Int(row.integer(5)), running: Int(row.integer(6)),
            scope: ClaimScope(queues: queues.isEmpty ? nil : queues, tags: names(8)))
        (worker.startedAt, worker.seenAt) = (row.real(9), row.real(10))
        return worker
    }
}
