internal import TakeupCache
internal import TakeupFiles
internal import TakeupJobs
package import TakeupModel
internal import TakeupSQL

/// Moves the queue and the manifest to another database, of whichever engine.
package struct DatabaseCopy: Sendable {
    /// What a table held when it was copied.
    package struct Table: Sendable, Equatable {
        package let name: String
        package let rows: Int
        /// Of all values in the order of the key; the same in both databases.
        package let sha256: String

        package var json: JSONValue {
            ["table": .text(name), "rows": .whole(rows), "sha256": .text(sha256)]
        }
    }

    private let source: DatabaseAddress
    private let target: DatabaseAddress

    package init(from source: DatabaseAddress, to target: DatabaseAddress) {
        (self.source, self.target) = (source, target)
    }

    /// Copies everything in one transaction, reads it back, and compares counts and hashes before it commits.
    ///
    /// A target that is such a copy already stays as it is.
    ///
    /// Nobody writes to the source at the same time. The source stays as it is.
    ///
    /// - Returns: What was copied, a value for each table.
    /// - Throws: `Failure`: while workers run, where the target holds anything else, and where the copy differs; the target then
    ///   keeps nothing of it.
    package func perform() throws(Failure) -> [Table] {
        guard source != target else { throw Self.refused("both addresses are \(source.name)") }
        try requireSource()
        // The source is looked at before the target is made: what is refused leaves nothing behind.
        let stores = [try open(source), try open(target)]
        do throws(SQLError) {
            let from = try source.database.connect(.normal)
            let to = try target.database.connect(.full)
            return try from.transaction { () throws(SQLError) in
                try Self.takeTime(from)
                if from.dialect == .postgres {
                    try from.execute(
                        "LOCK TABLE job, cache_entry, cache_alias, cache_counter IN SHARE MODE")
                }
                return try to.transaction { () throws(SQLError) in
                    try Self.takeTime(to)
                    // Somebody may have begun until the locks were there.
                    for store in stores { try Self.requireRest(store) }
                    let copied = try Self.copy(from, to)
                    // A server hears of workers that begin while the copy runs.
                    for store in stores { try Self.requireRest(store) }
                    return copied
                }
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// A copy takes as long as it takes.
    private static func takeTime(_ connection: any SQLConnection) throws(SQLError) {
        guard connection.dialect == .postgres else { return }
        try connection.execute(
            """
            SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0
            """)
    }

    private static let (inUse, notEmpty, differs) = ("in use", "not empty", "differs")

    private static func copy(
        _ from: any SQLConnection, _ to: any SQLConnection
    ) throws(SQLError) -> [Table] {
        let held = try to.query(
            "SELECT (SELECT count(*) FROM job) + (SELECT count(*) FROM cache_entry)"
        ) { $0.integer(0) }.first
        guard held == 0 else {
            // An earlier commit may have lost its answer.
            if let standing = try standing(from, to) { return standing }
            throw SQLError(
                .step, .other, code: notEmpty,
                message: "\(to.name) holds jobs or results already", database: to.name)
        }
        // Its own name gives way to the one that the cache knows.
        for table in ["cache_database", "cache_counter"] { try to.run("DELETE FROM \(table)") }
        var copied: [Table] = []
        for table in DatabaseTable.all {
            try table.read(from) { (rows) throws(SQLError) in try table.write(rows, to) }
            try table.settleNumbers(to)
            let (sent, arrived) = (try table.content(from), try table.content(to))
            guard sent == arrived else {
                throw SQLError(
                    .step, .other, code: differs,
                    message: "the copy of \(table.name) differs from the source", database: to.name)
            }
            copied.append(arrived)
        }
        try setToken(try token(from), to)
        try to.run(
            """
            UPDATE cache_total SET entries = (SELECT count(*) FROM cache_entry),
                bytes = (SELECT CAST(coalesce(sum(bytes), 0) AS DOUBLE PRECISION)
                    FROM (SELECT max(bytes) AS bytes FROM cache_entry
                        GROUP BY sha256, extension) AS file)
            """)
        return copied
    }

    /// What a copy holds that is there already; nil where the target differs.
    private static func standing(
        _ from: any SQLConnection, _ to: any SQLConnection
    ) throws(SQLError) -> [Table]? {
        var tables: [Table] = []
        for table in DatabaseTable.all {
            let content = try table.content(from)
            guard try table.content(to) == content else { return nil }
            tables.append(content)
        }
        return tables
    }

    private static func token(_ connection: any SQLConnection) throws(SQLError) -> Int64 {
        let sql =
            connection.dialect == .postgres
            ? "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM job_token_number"
            : "SELECT last FROM job_token"
        return try connection.query(sql) { $0.integer(0) }.first ?? 0
    }

    private static func setToken(
        _ token: Int64, _ connection: any SQLConnection
    ) throws(SQLError) {
        guard connection.dialect == .postgres else {
            try connection.run("UPDATE job_token SET last = ?1", [.integer(token)])
            return
        }
        _ = try connection.query(
            "SELECT setval('job_token_number', greatest(?1, 1), ?1 > 0)", [.integer(token)]
        ) { _ in }
    }

    private func requireSource() throws(Failure) {
        guard let path = source.path, Folder.isAbsent(path) else { return }
        throw Failure(
            exitCode: .inputMissing, code: "notFound", stage: "request",
            message: "there is no database \(path)", hint: "check the path")
    }

    /// Opens a queue that nobody uses and makes the tables of the manifest, at this program's version.
    private func open(_ address: DatabaseAddress) throws(Failure) -> SQLJobStore {
        let store: SQLJobStore
        do throws(JobStoreError) {
            if let path = address.path { try SQLJobStore.prepare(path) }
            store = try SQLJobStore(address.database)
        } catch {
            throw Failure(error)
        }
        do throws(CacheError) {
            // Of the manifest only its tables are needed; the hashes of this machine's files stay where they are.
            _ = try Manifest(address.database, now: store.now)
        } catch {
            throw Failure(error)
        }
        do throws(SQLError) { try Self.requireRest(store) } catch { throw Self.failure(error) }
        return store
    }

    /// - Throws: `SQLError`, with the code `inUse` where workers or jobs run.
    private static func requireRest(_ store: SQLJobStore) throws(SQLError) {
        let (alive, held): ([WorkerEntry], Int)
        do throws(JobStoreError) {
            let (workers, time) = try store.workers()
            alive = workers.filter { $0.isAlive(at: time) }
            held = try store.jobs(JobFilter(states: [.running]))
                .count { $0.leaseUntil.map { $0 > time } ?? false }
        } catch {
            if case .store(let error) = error { throw error }
            throw SQLError(
                .step, .other, code: "", message: "\(error)", database: store.name)
        }
        guard !alive.isEmpty || held > 0 else { return }
        let hosts = Set(alive.map(\.host)).sorted().joined(separator: ", ")
        let workers = alive.count == 1 ? "a worker runs" : "\(alive.count) workers run"
        let jobs = held == 1 ? "a job runs" : "\(held) jobs run"
        let reason = alive.isEmpty ? jobs : "\(workers) on \(hosts)"
        throw SQLError(
            .step, .other, code: inUse, message: "\(store.name) is in use: \(reason)",
            database: store.name)
    }

    private static func failure(_ error: SQLError) -> Failure {
        [inUse, notEmpty, differs].contains(error.code) ? refused(error.message) : Failure(error)
    }

    private static func refused(_ reason: String) -> Failure {
        Failure(
            exitCode: .temporary, code: "notCopied", stage: "request",
            message: "nothing was copied: \(reason)",
            hint: "stop every worker, daemon and server of both databases; copy into a new database"
        )
    }
}
