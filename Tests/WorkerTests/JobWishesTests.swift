import Foundation
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Wishes of jobs")
struct JobWishesTests {
    @Test("a source that was replaced since its job was accepted is an error, or allowed")
    func replaced() async throws {
        let trial = try WorkerTrial()
        let path = trial.directory.file("a.mov")
        let clip = try Clip.base(seconds: 1).path
        try FileManager.default.copyItem(atPath: clip, toPath: path)
        var open = try trial.spec("open", [path])
        open.onReplaced = .accept
        _ = try trial.store.submit([try trial.spec("strict", [path]), open])
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(
            atPath: try Clip.base(seconds: 2).path, toPath: path)
        let jobs = try await trial.run(["strict", "open"])
        #expect(jobs["strict"]?.fault?.code == "sourceReplaced")
        #expect(jobs["strict"]?.machine.failures == 1)
        #expect(jobs["open"]?.state == .succeeded)
        _ = try trial.store.retry(JobID(rawValue: "strict"))
        #expect(try await trial.run(["strict"])["strict"]?.state == .cached)
    }

    @Test("an attempt that takes longer than its job allows fails, and is not tried again")
    func timeout() async throws {
        let trial = try WorkerTrial()
        var spec = try trial.spec("a", [try Clip.base(seconds: 1).path], fault: .hang)
        spec.timeoutSeconds = 1
        _ = try trial.store.submit([spec])
        let job = try #require(try await trial.run(["a"])["a"])
        #expect(job.state == .failed && job.fault?.code == "timedOut")
        #expect(job.machine.failures == 1 && job.machine.crashes == 0)
    }
}
