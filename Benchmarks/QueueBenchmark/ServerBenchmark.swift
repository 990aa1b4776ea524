import Foundation
import TakeupJobs
import TakeupLanes
import TakeupPostgres
import TakeupSQL

/// Times a queue on a PostgreSQL server, whose workers have connections of their own.
struct ServerBenchmark {
    /// How long a job sleeps that does nothing else, in seconds.
    private static let sleepSeconds = 0.1
    /// A claim prefers what has waited for long now and then, so that one differs from the next.
    private static let cycle = 4

    private let address: String
    private let database: PostgresDatabase

    init(_ address: String) throws {
        guard let database = PostgresDatabase(address: address) else {
            throw BenchmarkFailure("\(address) is no address of a server")
        }
        (self.address, self.database) = (address, database)
    }

    /// Who claims and ends jobs.
    private enum Contender: String, CaseIterable {
        case store = "fleet-pairs"
        /// A bare loop that sends the same.
        case bare = "fleet-pairs-bare"
        /// One whose statements are planned once, as the store's are.
        case prepared = "fleet-pairs-prepared"
    }

    /// Claims and ends jobs by each contender in turn, several times.
    func timePairs(_ count: Int, runs: Int, workers: [Int]) throws {
        let store = try SQLJobStore(database)
        let statements = try recorded(store)
        let server = try database.connect(.full)
        try server.execute("ALTER TABLE job SET (autovacuum_enabled = off)")
        defer { try? server.execute("ALTER TABLE job RESET (autovacuum_enabled)") }
        for lanes in workers {
            // The first round of each is not told.
            for run in 0...runs {
                for contender in Contender.allCases {
                    let jobs = run == 0 ? max(lanes * Self.cycle, count / 10) : count
                    _ = try store.submit(QueueBenchmark.specs(0..<jobs, named: UUID().uuidString))
                    // What runs before have left in the tables would slow down those that come later.
                    try server.execute("VACUUM ANALYZE job")
                    let stores = try contender == .store ? stores(lanes) : []
                    let timed = try QueueBenchmark.together(lanes, jobs) { number in
                        try contender == .store
                            ? QueueBenchmark.work(
                                stores[number], WorkerID(rawValue: "w\(number)"))
                            : bare(statements, isPreparing: contender == .prepared)
                    }
                    guard run > 0 else { continue }
                    QueueBenchmark.report(
                        contender.rawValue, "workers", lanes, rate: timed.rate, timed.seconds)
                }
            }
        }
    }

    /// Jobs that sleep, done by few workers and by many, each with one lane.
    func timeSleepers(_ count: Int) throws {
        let store = try SQLJobStore(database)
        for workers in [2, 8] {
            _ = try store.submit(QueueBenchmark.specs(0..<count, named: UUID().uuidString))
            let stores = try stores(workers)
            let timed = try QueueBenchmark.together(workers, count) { number in
                try QueueBenchmark.work(
                    stores[number], WorkerID(rawValue: "w\(number)"),
                    sleeping: Self.sleepSeconds)
            }
            QueueBenchmark.report(
                "fleet-sleepers", "workers", workers, rate: timed.rate, timed.seconds)
        }
    }

    private func stores(_ count: Int) throws -> [SQLJobStore] {
        try (0..<count).map { _ in try SQLJobStore(database) }
    }

    private func bare(
        _ statements: [[BareStatement]], isPreparing: Bool
    ) throws -> [Double] {
        let loop = try BareLoop(address, isPreparing: isPreparing)
        var seconds: [Double] = []
        while true {
            var isEmpty = false
            let time = try ContinuousClock().measure {
                isEmpty = try !loop.pair(statements[seconds.count % statements.count])
            }
            guard !isEmpty else { return seconds }
            seconds.append(time / .seconds(1))
        }
    }

    /// What the store sends for some claims and ends, one after the other.
    private func recorded(_ store: SQLJobStore) throws -> [[BareStatement]] {
        let connection = try database.connect(.full)
        // Numbers that nothing else in a statement is.
        try connection.execute(
            """
            ALTER TABLE job ALTER COLUMN sequence RESTART WITH 5000001;
            SELECT setval('job_token_number', 9000001)
            """)
        _ = try store.submit(QueueBenchmark.specs(0..<2 * Self.cycle, named: "recorded"))
        let recorder = RecordedDatabase(database: database)
        let recorded = try SQLJobStore(recorder)
        return try (0..<2 * Self.cycle).map { _ in
            recorder.messages.withLock { $0 = [] }
            guard
                let (lease, _) = try recorded.claim(
                    by: WorkerID(rawValue: "w"), leaseSeconds: 30),
                try recorded.finish(lease, .succeeded(QueueBenchmark.result)) == .succeeded
            else { throw BenchmarkFailure("nothing to record") }
            let sequence = try connection.query(
                "SELECT sequence FROM job WHERE id = ?1", [.text(lease.job.rawValue)]
            ) { $0.integer(0) }[0]
            return recorder.messages.withLock { $0 }.map {
                BareStatement($0, lease, sequence: sequence)
            }
        }.suffix(Self.cycle)
    }
}
