import TakeupFiles
import TakeupJobs
import TakeupLanes
import TakeupSQL
import TakeupSQLite
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Troubles of a worker")
struct TroublesTests {
    @Test("a trouble is new once, until it has ended or changed")
    func once() {
        let troubles = Troubles()
        #expect(troubles.begin("a", "full") && !troubles.begin("a", "full"))
        #expect(troubles.begin("b", "full") && troubles.begin("a", "broken"))
        #expect(troubles.end("a") && !troubles.end("a") && troubles.begin("a", "broken"))
    }

    @Test("a full disk of the database is told once, with its name, and so is its end")
    func fullDisk() async throws {
        let trial = try WorkerTrial()
        let lines = Locked<[String]>([])
        let log = Log(threshold: .info) { record in
            lines.withLock { $0.append("\(record.level): \(record.message)") }
        }
        let team = WorkerContext(
            store: trial.store, cache: trial.cache, configuration: trial.configuration,
            presence: try WorkerPresence(
                folder: Folder.containing(trial.store.name), isCommon: true),
            logs: try JobLogs(stateFolder: trial.configuration.stateFolder), log: log)
        var events = team.events.subscribe(nil).makeAsyncIterator()
        let full = JobStoreError.store(
            SQLError(.step, code: 13, message: "database or disk is full", database: "COMMIT"))
        for _ in 0..<5 { team.noteQueue(full) }
        guard case .paused(let reason) = await events.next() else {
            Issue.record("nothing was told")
            return
        }
        #expect(reason.hasPrefix("no space left on the disk at /"))
        #expect(reason.hasSuffix(" for the database \(trial.store.name)"))
        #expect(lines.withLock { $0 } == ["error: \(reason)"])
        for _ in 0..<2 { team.noteQueueWorks() }
        #expect(await events.next() == .resumed)
        #expect(lines.withLock { $0.count } == 2)
        team.noteQueue(full)
        #expect(await events.next() == .paused(reason: reason))
    }
}
