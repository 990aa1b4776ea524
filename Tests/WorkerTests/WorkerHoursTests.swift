import TakeupJobs
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Suspended worker")
struct WorkerHoursTests {
    private static func wait(_ isMet: () throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while try !isMet() {
            try #require(ContinuousClock.now < end, "it did not happen")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test("starts nothing until it is resumed")
    func resumes() async throws {
        let trial = try WorkerTrial()
        _ = try trial.store.submit([try trial.spec("a", [try Clip.base(seconds: 1).path])])
        let worker = try trial.worker()
        var events = worker.events().makeAsyncIterator()
        worker.suspend(because: "closed until 22:00", returnsRunning: false)
        worker.suspend(because: "again", returnsRunning: false)
        #expect(await events.next() == .paused(reason: "closed until 22:00"))
        worker.start()
        try await Self.wait { worker.isClaiming }
        // Long enough for dozens of looks at the queue.
        try await Task.sleep(for: .seconds(1))
        #expect(try trial.store.counts() == [.queued: 1])
        #expect(worker.isAlive(withinSeconds: 60))
        worker.resume()
        worker.resume()
        #expect(await events.next() == .resumed)
        let jobs = try await trial.end(["a"], of: worker)
        #expect(jobs["a"]?.state == .succeeded && jobs["a"]?.machine.interruptions == 0)
        let figures = worker.figures
        #expect(figures.ended == [.succeeded: 1] && figures.claims == 1 && figures.running == 0)
        #expect(figures.mediaSeconds > 0.5 && figures.sourceBytes > 1000)
        #expect(figures.outputBytes == jobs["a"]?.result?.bytes)
    }

    @Test(
        "drains and stops while it is suspended, and lets running jobs end or gives them back",
        arguments: [true, false])
    func running(returnsRunning: Bool) async throws {
        let trial = try WorkerTrial()
        let worker = try await trial.workerWithHangingJob("slow")
        worker.suspend(because: "closed", returnsRunning: returnsRunning)
        let id = JobID(rawValue: "slow")
        if returnsRunning {
            try await Self.wait { try trial.store.job(id)?.state == .queued }
            worker.drain()
        } else {
            try await Task.sleep(for: .milliseconds(300))
            #expect(try trial.store.job(id)?.state == .running)
            worker.stop()
        }
        await worker.finished()
        let job = try #require(try trial.store.job(id))
        #expect(job.state == .queued && job.machine.interruptions == 1)
        #expect(job.machine.failures == 0)
        #expect(worker.figures.ended == [.queued: 1])
    }

    @Test("is not alive once one of its lanes hangs")
    func hangs() async {
        // In a program of its own: the lane would outlive the test.
        await #expect(processExitsWith: .success) {
            let trial = try WorkerTrial()
            let sources = [try Clip.base(seconds: 1).path]
            _ = try trial.store.submit([try trial.spec("a", sources)])
            trial.configuration.failpoint = Failpoint.Plan("afterJob:hang")
            let worker = try trial.worker()
            worker.start()
            try await WorkerHoursTests.wait { try trial.store.counts() == [.succeeded: 1] }
            try await WorkerHoursTests.wait { !worker.isAlive(withinSeconds: 2) }
            // The other one goes on.
            _ = try trial.store.submit([try trial.spec("b", sources)])
            try await WorkerHoursTests.wait {
                try trial.store.counts() == [.succeeded: 1, .cached: 1]
            }
            #expect(!worker.isAlive(withinSeconds: 2))
        }
    }
}
