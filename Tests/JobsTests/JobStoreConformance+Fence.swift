import TakeupJobs
import TakeupSQL
import Testing
import TestSupport

extension JobStoreConformance {
    @Test(
        "a fence holds as long as the lease does, in another module's transaction",
        arguments: StoreKind.allCases)
    func fence(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let store = try #require(trial.store as? SQLJobStore)
        let connection = try kind.database(in: trial.folder.path).connect(.full)
        func holds(_ lease: Lease) throws -> Bool {
            try connection.transaction { () throws(SQLError) in try store.fence(lease)(connection) }
        }
        let first = try trial.running("a")
        #expect(try holds(first))
        #expect(try store.cancel(first.job) == .stopWorker)
        #expect(try holds(first))
        #expect(try store.rescue(deadWorkers: [first.worker]).map(\.lease.job) == [first.job])
        #expect(try !holds(first))
        #expect(try store.retry(first.job) == .requeue)
        let second = try #require(try trial.claim())
        #expect(try !holds(first))
        #expect(try holds(second))
        #expect(try store.finish(second, .succeeded(StoreTrial.result)) == .succeeded)
        #expect(try !holds(second))
    }

    @Test(
        "a caught error inside a nested transaction leaves nothing half written",
        arguments: StoreKind.allCases)
    func nested(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let connection = try kind.database(in: trial.folder.path).connect(.full)
        try connection.execute("CREATE TABLE note (value BIGINT NOT NULL UNIQUE)")
        try connection.transaction { () throws(SQLError) in
            try connection.run("INSERT INTO note VALUES (?1)", [.integer(1)])
            try? connection.transaction { () throws(SQLError) in
                try connection.run("INSERT INTO note VALUES (2)")
                // A rule of the table.
                _ = try connection.run("INSERT INTO note VALUES (1)")
            }
            try connection.run("INSERT INTO note VALUES (3)")
        }
        let values = try connection.query("SELECT value FROM note ORDER BY value") {
            $0.integer(0)
        }
        #expect(values == [1, 3])
    }
}
