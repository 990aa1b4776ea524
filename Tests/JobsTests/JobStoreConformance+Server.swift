import Foundation
import TakeupJobs
import TakeupLanes
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// What a server promises beyond a file.
extension JobStoreConformance {
    @Test("claims, ends and renewals wait for no other writer")
    func claimsBeside() throws {
        let trial = try StoreTrial(.postgres)
        for id in ["a", "b", "c"] { try trial.add(id) }
        let other = try StoreKind.postgres.database(in: trial.folder.path).connect(.full)
        let began = ContinuousClock.now
        try other.transaction { () throws(SQLError) in
            // The first job is being looked at by somebody else.
            _ = try other.query("SELECT 1 FROM job WHERE id = 'a' FOR UPDATE") { _ in }
            do {
                let lease = try trial.claim()
                #expect(lease?.job.rawValue == "b")
                guard let lease else { return }
                #expect(try trial.store.renew([Heartbeat(lease)], leaseSeconds: 30) == [.kept])
                #expect(try trial.store.begin(lease, workKey: "k") == .admitted)
                #expect(try trial.store.finish(lease, .succeeded(StoreTrial.result)) == .succeeded)
            } catch {
                Issue.record(error)
            }
        }
        #expect(ContinuousClock.now - began < .seconds(5))
        #expect(try trial.claim()?.job.rawValue == "a")
    }

    @Test("a store holds a connection that looks, and others once it writes and renews")
    func connections() throws {
        let trial = try StoreTrial(.postgres)
        try trial.add("a")
        let observer = try StoreKind.postgres.database(in: trial.folder.path).connect(.full)
        let name = "count_\(UInt32.random(in: 0...UInt32.max))"
        let address = try TestDatabase.address(for: trial.folder.path)
        let store = try SQLJobStore(
            try #require(PostgresDatabase(address: "\(address)&application_name=\(name)")))
        func held() throws -> Int64? {
            try observer.query(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = ?1", [.text(name)]
            ) { $0.integer(0) }.first
        }
        #expect(try store.counts() == [.queued: 1])
        #expect(try store.list(JobListing(limit: 1)).records.count == 1)
        #expect(try held() == 1)
        let lease = try #require(
            try store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30)?.0)
        #expect(try held() == 2)
        #expect(try store.renew([Heartbeat(lease)], leaseSeconds: 30) == [.kept])
        #expect(try held() == 3)
    }

    @Test("two that begin the same work at once: one is told to wait")
    func sameWorkAtOnce() throws {
        let trial = try StoreTrial(.postgres)
        for round in 0..<20 {
            let leases = [try trial.running("a\(round)"), try trial.running("b\(round)")]
            let stores = [try trial.again(), try trial.again()]
            let admitted = Locked(0)
            let group = LaneGroup()
            for (lease, store) in zip(leases, stores) {
                group.start("begin") {
                    if (try? store.begin(lease, workKey: "work \(round)")) == .admitted {
                        admitted.withLock { $0 += 1 }
                    }
                }
            }
            group.wait()
            #expect(admitted.withLock { $0 } == 1)
        }
    }

    @Test("a store hears at once that another one has a job, and hears many as few")
    func wakeUps() throws {
        let trial = try StoreTrial(.postgres)
        let store = try #require(trial.store as? SQLJobStore)
        let other = try #require(try trial.again() as? SQLJobStore)
        let listener = try #require(try store.wakeUps.listen())
        #expect(try !listener.wait(seconds: 0.05))
        let began = ContinuousClock.now
        _ = try other.submit([StoreTrial.spec("a")])
        #expect(try listener.wait(seconds: 5))
        #expect(ContinuousClock.now - began < .seconds(1))
        var heard = 0
        for number in 0..<50 { _ = try other.submit([StoreTrial.spec("b\(number)")]) }
        while try listener.wait(seconds: 0.5) { heard += 1 }
        #expect((1...25).contains(heard))
        // A file has nobody to tell.
        let file = try #require(try StoreTrial(.sqlite).store as? SQLJobStore)
        #expect(try file.wakeUps.listen() == nil)
    }

    @Test("times are the server's, whatever the clock of the machine says")
    func serverClock() throws {
        let folder = try TemporaryDirectory()
        let database = try StoreKind.postgres.database(in: folder.path)
        let connection = try database.connect(.full)
        // The server's clock as its users see it, ten minutes ahead.
        try connection.execute(
            """
            CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql
            AS $$ SELECT pg_catalog.clock_timestamp() + interval '10 minutes' $$
            """)
        let schema = try connection.query("SELECT current_schema()") { $0.text(0) }[0]
        try connection.execute("ALTER ROLE takeup RESET search_path")
        let address = try TestDatabase.address(for: folder.path)
            .replacing("search_path%3D\(schema)", with: "search_path%3D\(schema)%2Cpg_catalog")
        let store = try SQLJobStore(try #require(PostgresDatabase(address: address)))
        _ = try store.submit([StoreTrial.spec("a")])
        let record = try #require(try store.job(JobID(rawValue: "a")))
        let ahead = record.createdAt - WallClock.now()
        #expect(abs(ahead - 600) < 5)
        #expect(try store.claim(by: WorkerID(rawValue: "w"), leaseSeconds: 30) != nil)
        #expect(try store.rescue(deadWorkers: []).isEmpty)
    }

    @Test("a server that takes no writes, as a standby, is waited for")
    func readOnlyServer() throws {
        let server = try PostgresServer.shared.get()
        let owner = try #require(PostgresDatabase(address: server.address(schema: "public")))
            .connect(.full)
        try owner.execute(
            """
            DROP ROLE IF EXISTS standby; CREATE ROLE standby LOGIN SUPERUSER;
            ALTER ROLE standby SET default_transaction_read_only = on
            """)
        let address = server.address(schema: "public").replacing("takeup@", with: "standby@")
        let database = try #require(PostgresDatabase(address: address))
        let refusal = #expect(throws: SQLError.self) { try database.connect(.full) }
        #expect(refusal?.isUnreachable == true)
        #expect(refusal?.message.contains("read-only") == true)
        // One that becomes so while it is used.
        let connection = try #require(PostgresDatabase(address: server.address(schema: "public")))
            .connect(.full)
        try connection.execute("SET default_transaction_read_only = on")
        let write = #expect(throws: SQLError.self) {
            try connection.execute("CREATE TABLE never (a BIGINT)")
        }
        #expect(write?.isUnreachable == true)
        // Opened again, it leads to a server that takes writes.
        try connection.transaction { () throws(SQLError) in
            try connection.execute("CREATE TEMPORARY TABLE fine (a BIGINT)")
        }
    }
}
