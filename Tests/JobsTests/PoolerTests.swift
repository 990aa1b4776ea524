import Foundation
import TakeupJobs
import TakeupLanes
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

/// A queue behind PgBouncer in transaction mode, which gives each transaction another connection to the server.
@Suite("Behind a pooler", .enabled(if: PgBouncer.isInstalled, "pgbouncer is not installed"))
struct PoolerTests {
    @Test("jobs are claimed once and ended, locks are waited for a while, and nobody listens")
    func works() throws {
        let server = try PostgresServer.shared.get()
        let name = "pooled\(getpid())"
        let direct = server.address(schema: "public")
        let owner = try #require(PostgresDatabase(address: direct)).connect(.full)
        try owner.execute("CREATE DATABASE \(name)")
        let bouncer = try PgBouncer(folder: "/tmp/takeup-pgb-\(getpid())", before: server)
        let database = try #require(PostgresDatabase(address: bouncer.address(database: name)))
        let store = try SQLJobStore(database)
        #expect(try store.wakeUps.listen() == nil)
        let specs = (0..<60).map { StoreTrial.spec("\($0)") }
        #expect(try store.submit(specs) == Array(repeating: .accepted, count: 60))
        let (ended, errors) = (Locked<[String]>([]), Locked<[String]>([]))
        let group = LaneGroup()
        for number in 0..<4 {
            group.start("claim \(number)") {
                do {
                    let worker = WorkerID(rawValue: "w\(number)")
                    let store = try SQLJobStore(database)
                    while let (lease, _) = try store.claim(by: worker, leaseSeconds: 30) {
                        _ = try store.renew([Heartbeat(lease)], leaseSeconds: 30)
                        _ = try store.begin(lease, workKey: lease.job.rawValue)
                        if try store.finish(lease, .succeeded(StoreTrial.result)) == .succeeded {
                            ended.withLock { $0.append(lease.job.rawValue) }
                        }
                    }
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(errors.withLock { $0 } == [])
        let all = ended.withLock { $0 }
        #expect(all.count == 60 && Set(all).count == 60)
        // Settings go with each transaction: no session of the server keeps any.
        let connection = try database.connect(.full)
        try connection.transaction { () throws(SQLError) in
            let timeout = try connection.query("SHOW lock_timeout") { $0.text(0) }
            #expect(timeout == ["10s"])
        }
        let direct2 = direct.replacing("/postgres?", with: "/\(name)?")
        let plain = try #require(PostgresDatabase(address: direct2)).connect(.full)
        #expect(try plain.query("SHOW lock_timeout") { $0.text(0) } == ["10s"])
        #expect(try connection.query("SHOW lock_timeout") { $0.text(0) } == ["0"])
    }
}
