import TakeupJobs
import TakeupLanes
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Worker log fields")
struct WorkerLogFieldsTests {
    @Test("every line about a job names it, its attempt and its token")
    func fields() async throws {
        let trial = try WorkerTrial()
        let name = "a \"token=9"
        _ = try trial.store.submit([try trial.spec(name, [trial.directory.file("no.mov")])])
        let records = Locked<[LogRecord]>([])
        let worker = try trial.worker(
            log: Log(threshold: .debug) { record in records.withLock { $0.append(record) } })
        let job = try #require(try await trial.run([name], on: worker)[name])
        let told = records.withLock { $0 }.filter { !$0.fields.isEmpty }
        #expect(told.map(\.message) == ["started", "failed"])
        #expect(told.map { $0.fields.last?.name } == ["source", "reason"])
        for record in told {
            #expect(
                Array(record.fields.prefix(3)) == [
                    LogField("job", name), LogField("attempt", 1), LogField("token", job.token),
                ])
        }
    }

    @Test("a job that is taken back is told with the lease that was lost")
    func takenBack() async throws {
        let trial = try WorkerTrial()
        _ = try trial.store.submit([try trial.spec("a", [trial.directory.file("no.mov")])])
        let gone = WorkerID(rawValue: "gone")
        let (lease, _) = try #require(try trial.store.claim(by: gone, leaseSeconds: 0.001))
        let records = Locked<[LogRecord]>([])
        let worker = try trial.worker(
            log: Log(threshold: .debug) { record in records.withLock { $0.append(record) } })
        _ = try await trial.run(["a"], on: worker)
        let told = try #require(records.withLock { $0 }.first { $0.message == "taken back" })
        #expect(
            told.fields == [
                LogField("job", "a"), LogField("attempt", 1), LogField("token", lease.token),
            ])
    }
}
