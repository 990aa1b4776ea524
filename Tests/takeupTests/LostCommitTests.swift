import Foundation
import TakeupJobs
import TakeupService
import TestSupport
import Testing

/// A worker whose commits are carried out by the server, and not answered.
@Suite("Lost commits")
struct LostCommitTests {
    @Test("a job is done once, whichever of its commits are not answered", arguments: 0...3)
    func worker(passed: Int) throws {
        let bench = try TestBench()
        let server = try PostgresServer.shared.get()
        let name = "commits_\(UInt32.random(in: 0...UInt32.max))"
        try server.run("CREATE SCHEMA \(name)")
        let proxy = try PostgresProxy(folder: "/tmp/takeup-\(name)", to: server)
        try FileManager.default.copyItem(
            atPath: try Clip.base(seconds: 2).path, toPath: "\(bench.folder)/a.mp4")
        let direct = server.address(schema: name)
        func start(_ line: String, on address: String) throws -> Subprocess {
            try Subprocess(
                BuiltProduct.path(of: "takeup"),
                line.split(separator: " ").map(String.init) + [
                    "--home", "\(bench.folder)/home", "--cache", "\(bench.folder)/cache",
                    "--database", address,
                ], directory: bench.folder)
        }
        var worker = try start("worker --json", on: proxy.address(schema: name))
        let isReady = worker.waitForOutput(containing: "ready")
        try #require(isReady)
        proxy.cutAnswers(ofCommits: 3, after: passed)
        #expect(try start("submit a.mp4 -o b.mp4 --id one", on: direct).wait().exitCode == 0)
        let store = try StatePlaces(
            home: "\(bench.folder)/home", cache: "\(bench.folder)/cache",
            database: DatabaseAddress(direct, absolute: { $0 })
        ).openQueue()
        let deadline = ContinuousClock.now + .seconds(60)
        while try store.job(JobID(rawValue: "one"))?.state != .succeeded {
            try #require(ContinuousClock.now < deadline, "the job is not done")
            usleep(20_000)
        }
        worker.signal(SIGTERM)
        let ended = worker.wait()
        #expect(ended.exitCode == 143, "\(ended.errorText)")
        #expect(proxy.cutsLeft == 0)
        let ends = ended.outputText.split(separator: "\n")
            .count { $0.contains("\"type\":\"finished\"") }
        #expect(ends == 1, "\(ended.outputText)")
        let job = try #require(try store.job(JobID(rawValue: "one")))
        #expect(job.token == 1 && job.machine.failures == 0, "\(job)")
        #expect(job.machine.interruptions == 0, "\(job)")
        #expect(try MediaTools.probe("\(bench.folder)/b.mp4").streams.count == 2)
    }
}
