import Foundation
import TakeupJobs
import TakeupPostgres
import TakeupSQL
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupWorker

@Suite("Signs of life")
struct VitalSignsTests {
    @Test("do not wait for housekeeping that waits for a standby", .timeLimit(.minutes(3)))
    func standby() async throws {
        let server = try PostgresServer(folder: "/tmp/takeup-pg-\(getpid())-signs")
        let database = try #require(PostgresDatabase(address: server.address(schema: "public")))
        let store = try SQLJobStore(database)
        let trial = try WorkerTrial()
        let old = JobID(rawValue: "old")
        #expect(try store.submit([try trial.spec(old.rawValue, ["/a.mp4"])]) == [.accepted])
        _ = try store.cancel(old)
        let state = try store.job(old)?.state
        #expect(state == .cancelled, "\(String(describing: state))")
        try server.setStandby(isMissing: true)
        trial.configuration.retention = JobRetention(seconds: -60)
        let worker = try Worker(
            store: store, cache: trial.cache, configuration: trial.configuration, log: .silent)
        worker.start()
        let observer = try database.connect(.local)
        while try observer.query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'", { $0.integer(0) }
        ).isEmpty {
            try await Task.sleep(for: .milliseconds(10))
        }
        worker.drain()
        while try store.workers().workers.map(\.state) != [.draining] {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try store.job(old) != nil)
        try server.setStandby(isMissing: false)
        await worker.finished()
        #expect(try store.job(old) == nil)
        #expect(try store.workers().workers.isEmpty)
    }
}
