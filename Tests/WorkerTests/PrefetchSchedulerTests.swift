import Foundation
import TakeupFetch
import TakeupJobs
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupWorker

@Suite("Sources of the next jobs")
struct PrefetchSchedulerTests {
    private func id(_ path: String) -> String { String(path.dropFirst()) }

    /// A worker of one lane whose first job never ends by itself, and others behind it.
    private func start(
        _ trial: RemoteTrial, _ paths: [String]
    ) throws -> Worker {
        trial.trial.configuration.lanes = 1
        for (number, path) in paths.enumerated() {
            let spec = try trial.trial.spec(
                id(path), [trial.origin.url(path)], output: "\(number).mp4",
                fault: number == 0 ? .hang : nil)
            _ = try trial.trial.store.submit([spec])
        }
        let worker = try trial.trial.worker()
        worker.start()
        return worker
    }

    private func end(
        _ worker: Worker, _ trial: RemoteTrial, _ paths: [String]
    ) async throws -> [JobRecord] {
        let store = trial.trial.store
        _ = try store.cancel(JobID(rawValue: id(paths[0])))
        let wanted = JobFilter(ids: paths.map { JobID(rawValue: id($0)) })
        let limit = ContinuousClock.now + .seconds(900)
        while try store.jobs(wanted).contains(where: { !$0.state.isTerminal }) {
            try #require(ContinuousClock.now < limit, "the jobs did not end")
            try await Task.sleep(for: .milliseconds(20))
        }
        worker.drain()
        await worker.finished()
        return try store.jobs(wanted)
    }

    @Test("are here when their turn comes, in the order of the queue, each byte once")
    func ahead() async throws {
        let trial = try RemoteTrial()
        let paths = ["/a.mp4", "/b.mp4", "/c.mp4"]
        let bytes = try RemoteTrial.clip()
        for path in paths {
            _ = trial.serve(path, bytes) { $0.faults.bytesPerSecond = bytes.count * 2 }
        }
        let worker = try start(trial, paths)
        let (origin, length) = (trial.origin, Int64(bytes.count))
        #expect(origin.wait { $0.bytesServed("/c.mp4") >= length && $0.totals.openRequests == 0 })
        for (earlier, later) in zip(paths, paths.dropFirst()) {
            let last = try #require(origin.requests(earlier).compactMap(\.endSeconds).max())
            #expect(last <= origin.requests(later)[0].seconds)
            #expect(origin.bytesServed(later) == length)
        }
        let jobs = try await end(worker, trial, paths)
        #expect(jobs.map(\.state) == [.cancelled, .succeeded, .succeeded])
        #expect(Double(origin.totals.bodyBytes) <= 1.02 * Double(3 * length))
        #expect(try trial.frames(of: jobs[1]) == (try await trial.frames(ofLocal: bytes)))
    }

    @Test("that fail ahead of time cost their job no try")
    func failure() async throws {
        let trial = try RemoteTrial()
        let paths = ["/a.mp4", "/b.mp4"]
        let bytes = try RemoteTrial.clip(seconds: 1)
        _ = trial.serve("/a.mp4", bytes)
        // As many as one prefetch tries.
        _ = trial.serve("/b.mp4", bytes) { $0.faults.answers = [.status(503, times: 5)] }
        let worker = try start(trial, paths)
        #expect(trial.origin.wait { $0.requestCount("/b.mp4") == 5 })
        let jobs = try await end(worker, trial, paths)
        #expect(jobs[1].state == .succeeded)
        #expect(jobs[1].machine.failures == 0 && jobs[1].fault == nil)
    }

    @Test("are left at once when the worker drains, while its job goes on")
    func drain() async throws {
        let trial = try RemoteTrial()
        let origin = trial.origin
        _ = trial.serve("/a.mp4", try RemoteTrial.clip(seconds: 1))
        var object = OriginObject(.synthetic(length: 20_000_000))
        object.faults.bytesPerSecond = 1_000_000
        origin.serve("/b.mp4", object)
        let worker = try start(trial, ["/a.mp4", "/b.mp4"])
        #expect(origin.wait { $0.bytesServed("/b.mp4") >= 500_000 })
        let before = origin.bytesServed("/b.mp4")
        worker.drain()
        #expect(origin.wait { $0.totals.openRequests == 0 })
        // Within a second, as the origin counts it.
        #expect(origin.bytesServed("/b.mp4") - before <= 1_000_000)
        let running = JobID(rawValue: id("/a.mp4"))
        #expect(try trial.trial.store.job(running)?.state == .running)
        worker.stop()
        await worker.finished()
    }
}
