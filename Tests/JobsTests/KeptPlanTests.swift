import Foundation
import TakeupJobs
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// Statements that the server plans once, on connections that stay.
@Suite("Kept plans")
struct KeptPlanTests {
    private let name = "plans_\(UInt32.random(in: 0...UInt32.max))"
    private let observer: any SQLConnection
    private let address: String

    init() throws {
        let server = try PostgresServer.shared.get()
        address = "\(server.address(schema: name))&application_name=\(name)"
        let direct = try #require(PostgresDatabase(address: server.address(schema: name)))
        observer = try direct.connect(.full)
        try observer.execute("CREATE SCHEMA \(name)")
    }

    private func store() throws -> SQLJobStore {
        try SQLJobStore(try #require(PostgresDatabase(address: address)))
    }

    private func submit(
        _ count: Int, _ prefix: String, tags: [String] = [], to store: SQLJobStore
    ) throws {
        let specs = (0..<count).map { number in
            var spec = StoreTrial.spec("\(prefix)\(number)")
            spec.tags = tags
            return spec
        }
        _ = try store.submit(specs)
    }

    private func pair(_ store: SQLJobStore) throws {
        let claim = try store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30)
        let lease = try #require(claim?.0)
        #expect(try store.finish(lease, .succeeded(StoreTrial.result)) == .succeeded)
    }

    @Test("no more ended jobs are forgotten than are too many, whatever the server expects to find")
    func pruned() throws {
        let store = try store()
        func cancel(_ count: Int, _ prefix: String) throws {
            try submit(count, prefix, to: store)
            for number in 0..<count {
                _ = try store.cancel(JobID(rawValue: "\(prefix)\(number)"))
            }
        }
        try cancel(300, "a")
        #expect(try store.prune(olderThanSeconds: 1e6, keeping: 1) == 299)
        // From here on it expects one row, on many pages.
        try observer.execute("ALTER TABLE job SET (autovacuum_enabled = false)")
        try observer.execute("VACUUM ANALYZE job")
        try cancel(12, "b")
        #expect(try store.prune(olderThanSeconds: 1e6, keeping: 12) == 1)
        #expect(try store.prune(olderThanSeconds: 1e6, keeping: 7) == 5)
        #expect(try store.prune(olderThanSeconds: 1e6, keeping: 7) == 0)
        try observer.execute("BEGIN; SELECT FROM job WHERE id = 'b11' FOR UPDATE")
        #expect(try store.prune(olderThanSeconds: -60, keeping: 7) == 6)
        try observer.execute("COMMIT")
        #expect(try store.jobs(JobFilter()).map(\.id.rawValue) == ["b11"])
    }

    @Test("what was planned for a few jobs does not read all of many, nor others' jobs")
    func grown() throws {
        do {
            let store = try store()
            // After some uses a server settles on a plan.
            try submit(12, "a", to: store)
            for _ in 0..<12 { try pair(store) }
            try submit(1500, "b", tags: ["gpu"], to: store)
            try submit(1500, "c", to: store)
            for _ in 0..<10 { try pair(store) }
        }
        // A server counts what a connection has read at the latest when that ends.
        let end = ContinuousClock.now + .seconds(10)
        func count(_ sql: String) throws -> Int64 {
            try observer.query(sql, [.text(name)]) { $0.integer(0) }.first ?? 0
        }
        while try count("SELECT count(*) FROM pg_stat_activity WHERE application_name = ?1") > 0 {
            try #require(ContinuousClock.now < end)
            usleep(20_000)
        }
        let table = "FROM pg_stat_user_tables WHERE schemaname = ?1 AND relname = 'job'"
        #expect(try count("SELECT n_tup_upd \(table)") >= 44)
        let read = try count("SELECT seq_tup_read + idx_tup_fetch \(table)")
        #expect(read < 1000, "\(read) rows")
    }

    @Test("when the server ends a connection, the next transaction opens another one")
    func ended() throws {
        let store = try store()
        try submit(20, "a", to: store)
        for _ in 0..<6 { try pair(store) }
        for _ in 0..<3 {
            _ = try observer.query(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = ?1
                """, [.text(name)]
            ) { _ in }
            try pair(store)
            try pair(store)
        }
    }

    @Test("a transaction whose statement has failed is not said to be committed")
    func failed() throws {
        try observer.execute("CREATE TABLE number (value INTEGER)")
        #expect(throws: SQLError.self) {
            try observer.transaction { () throws(SQLError) in
                try observer.run("INSERT INTO number VALUES (1)")
                try? observer.execute("SELECT 1 / 0")
            }
        }
        #expect(throws: SQLError.self) {
            try observer.transaction { () throws(SQLError) in
                try? observer.execute("SELECT 1 / 0")
                try observer.run("INSERT INTO number VALUES (1)")
            }
        }
        #expect(try observer.query("SELECT value FROM number") { $0.integer(0) } == [])
    }
}
