import Foundation
import TakeupJobs
import TakeupLanes
import TakeupPostgres
import TakeupSQL
import TestSupport
import Testing

@Suite("A standby that is away")
struct AbsentStandbyTests {
    private let worker = WorkerID(rawValue: "w")

    @Test(
        "holds up what changes the queue, but no look and no sign of life",
        .timeLimit(.minutes(3)), arguments: PgBouncer.isInstalled ? [false, true] : [false])
    func signsOfLife(isPooled: Bool) throws {
        let server = try PostgresServer(folder: "/tmp/takeup-pg-\(getpid())-alone\(isPooled)")
        let bouncer =
            isPooled
            ? try PgBouncer(folder: "/tmp/takeup-pgb-\(getpid())-alone", before: server) : nil
        let address =
            bouncer?.address(database: "postgres") ?? server.address(schema: "public")
        let database = try #require(PostgresDatabase(address: address))
        let store = try SQLJobStore(database)
        _ = try store.submit([StoreTrial.spec("a"), StoreTrial.spec("b")])
        let leases = try (0..<2).map { _ in
            try #require(try store.claim(by: worker, leaseSeconds: 30)).0
        }
        let entry = WorkerEntry(
            id: worker, host: "here", process: 1, version: "1", state: .working, lanes: 2,
            running: 2, scope: ClaimScope())
        #expect(try store.renew(leases.map { Heartbeat($0) }, leaseSeconds: 30) == [.kept, .kept])
        try server.setStandby(isMissing: true)
        let end = Locked<JobState?>(nil)
        let group = LaneGroup()
        group.start("end") {
            let state = try? store.finish(leases[0], .succeeded(StoreTrial.result))
            end.withLock { $0 = state }
        }
        let observer = try database.connect(.local)
        while try observer.query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'", { $0.integer(0) }
        ).isEmpty {
            usleep(10_000)
        }
        let began = ContinuousClock.now
        #expect(try store.claim(by: worker, leaseSeconds: 30) == nil)
        #expect(
            try store.renew(leases.map { Heartbeat($0) }, leaseSeconds: 30) == [.locked, .kept])
        #expect(try store.register(entry))
        try store.unregister(worker)
        #expect(try store.counts()[.running] != nil)
        #expect(ContinuousClock.now - began < .seconds(5))
        #expect(end.withLock { $0 } == nil)
        try server.setStandby(isMissing: false)
        group.wait()
        #expect(end.withLock { $0 } == .succeeded)
        #expect(try store.renew(leases.map { Heartbeat($0) }, leaseSeconds: 30) == [.lost, .kept])
    }
}
