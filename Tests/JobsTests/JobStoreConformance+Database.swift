import Foundation
import TakeupJobs
import TakeupModel
import TakeupPostgres
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

    @Test(
        "a server that crashes loses nothing that was committed, whatever survived a kill alone elsewhere"
    )
    func crash() throws {
        let server = try PostgresServer(folder: "/tmp/takeup-pg-\(getpid())-crash")
        let database = try #require(PostgresDatabase(address: server.address(schema: "public")))
        let connection = try database.connect(.normal)
        try connection.execute("CREATE TABLE note (value BIGINT NOT NULL)")
        try connection.transaction { () throws(SQLError) in
            _ = try connection.run("INSERT INTO note VALUES (1)")
        }
        try server.halt(isCrash: true)
        try server.resume()
        // The old connection shows only now that it is none any more.
        let values = try connection.query("SELECT value FROM note") { $0.integer(0) }
        #expect(values == [1])
    }

    @Test("a server without a free connection is waited for; a database that is not there is not")
    func refusals() throws {
        let address = try PostgresServer.shared.get().address(schema: "public")
        let owner = try #require(PostgresDatabase(address: address)).connect(.full)
        try owner.execute(
            "DROP ROLE IF EXISTS crowded; CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
        func refusal(_ from: String, _ to: String) throws -> SQLError {
            let text = address.replacing(from, with: to)
            let database = try #require(PostgresDatabase(address: text))
            do throws(SQLError) { _ = try database.connect(.full) } catch { return error }
            Issue.record("\(text) is open")
            throw CancellationError()
        }
        let crowded = try refusal("takeup@", "crowded@")
        #expect(crowded.isUnreachable && Failure(crowded).disposition == .retry)
        let missing = try refusal("/postgres?", "/missing?")
        #expect(!missing.isUnreachable && Failure(missing).disposition == .giveUp)
        let stranger = try refusal("takeup@", "stranger@")
        #expect(stranger.kind == .notPermitted)
    }

    @Test("a writer that waits too long for another is told so, and writes afterwards")
    func waitingWriter() throws {
        let trial = try StoreTrial(.postgres)
        let database = try StoreKind.postgres.database(in: trial.folder.path)
        let (first, second) = (try database.connect(.full), try database.connect(.full))
        try second.execute("CREATE TABLE note (value BIGINT NOT NULL); SET lock_timeout = 100")
        try first.transaction { () throws(SQLError) in
            do throws(SQLError) {
                try second.transaction { () throws(SQLError) in }
                Issue.record("two writers at once")
            } catch {
                #expect(error.isBusy)
            }
        }
        try second.transaction { () throws(SQLError) in
            _ = try second.run("INSERT INTO note VALUES (1)")
        }
        #expect(try second.query("SELECT value FROM note") { $0.integer(0) } == [1])
    }

    @Test("queues in schemas of one database do not wait for each other")
    func schemas() throws {
        let one = try TemporaryDirectory()
        let other = try TemporaryDirectory()
        let first = try StoreKind.postgres.database(in: one.path).connect(.full)
        let second = try StoreKind.postgres.database(in: other.path).connect(.full)
        try second.execute("CREATE TABLE note (value BIGINT NOT NULL); SET lock_timeout = 100")
        try first.transaction { () throws(SQLError) in
            try second.transaction { () throws(SQLError) in
                _ = try second.run("INSERT INTO note VALUES (1)")
            }
        }
        #expect(try second.query("SELECT value FROM note") { $0.integer(0) } == [1])
    }

    @Test(
        "values come back as they were stored", arguments: StoreKind.allCases)
    func storedValues(kind: StoreKind) throws {
        let trial = try StoreTrial(kind)
        let connection = try kind.database(in: trial.folder.path).connect(.normal)
        try connection.execute(
            "CREATE TABLE thing (a BIGINT, b DOUBLE PRECISION, c TEXT)")
        let rows: [(Int64?, Double?, String?)] = [
            (.max, .infinity, "a'b\"c\\d\n?1 $1"), (.min, -0.1, ""), (0, 1e-300, "ü😀"),
            (nil, nil, nil),
        ]
        for (a, b, c) in rows {
            try connection.run(
                "INSERT INTO thing VALUES (?1, ?2, ?3)", [.integer(a), .real(b), .text(c)])
        }
        for (a, b, c) in rows {
            let found = try connection.query(
                "SELECT a, b, c, 'a?' FROM thing WHERE coalesce(c, '-') = ?1",
                [.text(c ?? "-")]
            ) { row in
                (row.optionalInteger(0), row.optionalReal(1), row.optionalText(2), row.text(3))
            }
            #expect(found.count == 1 && found[0] == (a, b, c, "a?"))
        }
        #expect(try connection.run("DELETE FROM thing WHERE a = ?1", [.integer(0)]) == 1)
    }

    @Test("a connection that the server has ended fails once, and is opened again")
    func endedConnection() throws {
        let trial = try StoreTrial(.postgres)
        let database = try StoreKind.postgres.database(in: trial.folder.path)
        let (first, second) = (try database.connect(.full), try database.connect(.full))
        let process = try first.query("SELECT pg_backend_pid()") { $0.integer(0) }[0]
        func end() throws {
            _ = try second.query(
                "SELECT pg_terminate_backend(CAST(?1 AS INTEGER))", [.integer(process)]
            ) {
                $0.flag(0)
            }
        }
        try first.execute("CREATE TABLE note (value BIGINT NOT NULL)")
        do throws(SQLError) {
            try first.transaction { () throws(SQLError) in
                try first.run("INSERT INTO note VALUES (1)")
                _ = try? end()
                try first.run("INSERT INTO note VALUES (2)")
            }
            Issue.record("the connection lived on")
        } catch {
            #expect(error.kind == .unreachable)
            #expect(!error.message.isEmpty)
        }
        try first.run("INSERT INTO note VALUES (3)")
        #expect(try first.query("SELECT value FROM note") { $0.integer(0) } == [3])
    }

    @Test(
        "no message shows a password, also of an address that is written wrongly",
        arguments: [
            "postgres://bob:SEC/RET@localhost/db", "postgres://bob:pa?SECRET@localhost/db",
            "postgres://bob:SEC%ZZRET@localhost:1/db", "postgres://bob:SECRET@[::1/db",
            "Postgres://bob:SECRET@localhost:1/db",
        ])
    func passwords(address: String) throws {
        let database = try #require(PostgresDatabase(address: address))
        do throws(SQLError) {
            _ = try database.connect(.full)
            Issue.record("there was a server")
        } catch {
            for part in ["SEC", "RET", "bob", "pa?"] {
                #expect(!"\(error) \(database.name)".contains(part), "\(error)")
            }
        }
    }

    @Test("an address is shown without its user, password and options")
    func address() throws {
        let address = "postgres://user:se%40cret@host:5433/jobs?sslmode=require&password=x"
        #expect(PostgresDatabase(address: address)?.name == "postgres://host:5433/jobs")
        let service = PostgresDatabase(address: "postgres://?password=x&service=takeup&user=u")
        #expect(service?.name == "postgres://?service=takeup")
        #expect(PostgresDatabase(address: "sqlite:/a") == nil)
        let closed = try #require(PostgresDatabase(address: "postgres://u:secret@127.0.0.1:1/x"))
        do throws(SQLError) {
            _ = try closed.connect(.full)
            Issue.record("there was a server")
        } catch {
            #expect(error.kind == .unreachable)
            #expect(!"\(error)".contains("secret"))
        }
    }
}
