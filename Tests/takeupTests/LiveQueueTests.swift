import Foundation
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupSQL
import Testing

@testable import takeup

@Suite("Queue commands on a real queue")
struct LiveQueueTests {
    @Test("jobs are listed, cancelled, queued again and pruned")
    func jobs() async throws {
        let queue = try QueueBench()
        for line in ["submit a.mov --id a", "submit b.mov --id b", "jobs cancel a", "jobs list"] {
            #expect(await queue.run(line) == .success)
        }
        #expect(queue.bench.output.text.contains("a   cancelled"))
        #expect(queue.bench.output.text.contains("b   queued"))
        #expect(await queue.run("jobs retry a") == .success)
        #expect(try queue.store.counts() == [.queued: 2])
        try queue.work()
        #expect(await queue.run("jobs prune --older-than 0") == .success)
        #expect(try queue.store.counts() == [.queued: 1])
    }

    @Test("what is no database has its exit code")
    func damaged() async throws {
        let bench = try TestBench()
        try bench.write(String(repeating: "no database ", count: 100), to: "bad")
        let line = "jobs list --home home --cache cache --database"
        #expect(await bench.run("\(line) sqlite:bad") == .unavailable)
        #expect(await bench.run("\(line) sqlite:bad/below") == .notPermitted)
    }

    @Test(
        "each of the store's errors has its exit code",
        arguments: [
            (JobStoreError.networkFileSystem(path: "/n/a", kind: "NFS"), ExitCode.configuration),
            (.notPermitted(path: "/a", reason: "Permission denied"), .notPermitted),
            (.unreadable(job: "{}", reason: "of another version"), .internalError),
        ])
    func failures(error: JobStoreError, code: ExitCode) {
        let failure = Failure(error)
        #expect(failure.exitCode == code)
        #expect(!failure.hint.isEmpty)
    }

    @Test("only states, and only of what ended lately, are asked for alone")
    func states() async throws {
        let queue = try QueueBench()
        for name in ["a", "b", "c"] {
            #expect(await queue.run("submit \(name).mov --id \(name)") == .success)
        }
        try queue.work()
        let first = try #require(try queue.store.job(JobID(rawValue: "a"))?.finishedAt)
        let ids = ["a", "c", "none"].map(JobID.init(rawValue:))
        #expect(
            try queue.store.states(JobFilter(ids: ids)) == [ids[0]: .succeeded, ids[1]: .queued])
        #expect(try queue.store.states(JobFilter(endedSince: first)) == [ids[0]: .succeeded])
        #expect(try queue.store.states(JobFilter(endedSince: first + 1)).isEmpty)
    }
}
