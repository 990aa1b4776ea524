import Foundation
import TakeupJobs
import TakeupModel
import TakeupService
import TestSupport
import Testing

@testable import takeup

/// The program on a queue and a manifest that a PostgreSQL server keeps.
@Suite("A queue on a server")
struct ServerQueueTests {
    private let bench: TestBench
    private let state: [String]

    init() throws {
        bench = try TestBench()
        _ = try TestDatabase.postgres.database(in: bench.folder)
        state = [
            "--home", "\(bench.folder)/home", "--cache", "\(bench.folder)/cache", "--database",
            try TestDatabase.address(for: bench.folder),
        ]
    }

    private func add(seconds: Int, as name: String) throws {
        try FileManager.default.copyItem(
            atPath: try Clip.base(seconds: seconds).path, toPath: "\(bench.folder)/\(name)")
    }

    private func start(_ line: String) throws -> Subprocess {
        try Subprocess(
            BuiltProduct.path(of: "takeup"), line.split(separator: " ").map(String.init) + state,
            directory: bench.folder)
    }

    private func run(_ line: String) throws -> Subprocess.Outcome { try start(line).wait() }

    private func lines(_ outcome: Subprocess.Outcome) throws -> [[String: Any]] {
        try outcome.outputText.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func list(_ outcome: Subprocess.Outcome) throws -> [Any] {
        let json = try JSONSerialization.jsonObject(with: Data(outcome.outputText.utf8))
        return try #require(json as? [Any])
    }

    @Test("a batch runs, the next one is answered from the cache, and lists tell of both")
    func batch() throws {
        try add(seconds: 2, as: "a.mp4")
        try add(seconds: 3, as: "b.mp4")
        let first = try run("batch a.mp4 b.mp4 -o out --preset 640x480 --json")
        #expect(first.exitCode == 0, "\(first.errorText)")
        let again = try run("batch a.mp4 b.mp4 -o other --preset 640x480 --json")
        #expect(again.exitCode == 0, "\(again.errorText)")
        let cached = try lines(again).filter { $0["status"] as? String == "cached" }
        #expect(cached.count == 2)
        for name in ["a", "b"] {
            for folder in ["out", "other"] {
                let probed = try MediaTools.probe("\(bench.folder)/\(folder)/\(name).mp4")
                #expect(probed.streams.count == 2)
            }
        }
        let jobs = try run("jobs list --json")
        #expect(try list(jobs).count == 4, "\(jobs.errorText)")
        let kept = try run("cache list --json")
        #expect(try list(kept).count == 2, "\(kept.errorText)")
        #expect(try run("cache verify").exitCode == 0)
        #expect(try run("doctor").outputText.contains("postgres://"))
        // What is about this machine's files stays in a file of this machine.
        #expect(FileManager.default.fileExists(atPath: "\(bench.folder)/home/takeup.sqlite"))
    }

    @Test("a killed worker's job is done by the next one, once")
    func killed() throws {
        try add(seconds: 10, as: "a.mp4")
        #expect(try run("submit a.mp4 -o a.out.mp4 --id one").exitCode == 0)
        let worker = try start("worker --json")
        let address = DatabaseAddress(state[5], absolute: { $0 })
        let store = try StatePlaces(
            home: "\(bench.folder)/home", cache: "\(bench.folder)/cache",
            database: address
        ).openQueue()
        let deadline = ContinuousClock.now + .seconds(30)
        while try store.counts()[.queued] != nil, ContinuousClock.now < deadline { usleep(2000) }
        worker.signal(SIGKILL)
        _ = worker.wait()
        let next = try run("worker --once --json")
        #expect(next.exitCode == 0, "\(next.errorText)")
        #expect(try store.job(JobID(rawValue: "one"))?.state == .succeeded)
        #expect(try MediaTools.probe("\(bench.folder)/a.out.mp4").streams.count == 2)
    }

    @Test("a server that is not there is told with 69, and its password is not")
    func unreachable() async throws {
        let line = "jobs list --home home --cache cache --database"
        let address = "postgres://someone:secret@127.0.0.1:1/queue"
        #expect(await bench.run("\(line) \(address)") == .unavailable)
        #expect(bench.diagnostics.text.contains("postgres://127.0.0.1:1/queue"))
        #expect(!bench.diagnostics.text.contains("secret"))
    }
}
