import Foundation
import TakeupJobs
import TakeupModel
import TakeupService
import TakeupSQL
import TakeupSQLite
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

    private func start(_ line: String, on address: String? = nil) throws -> Subprocess {
        var state = state
        if let address { state[5] = address }
        return try Subprocess(
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

    @Test(
        "a server that restarts costs no work: a batch and a waiting command go on, no attempt is used up"
    )
    func restart() throws {
        let server = try PostgresServer(folder: "/tmp/takeup-pg-\(getpid())-restart")
        let address = server.address(schema: "public")
        try add(seconds: 30, as: "a.mp4")
        // Each a work of its own: none waits for another one.
        try add(seconds: 40, as: "b.mp4")
        try add(seconds: 60, as: "c.mp4")
        let store = try StatePlaces(
            home: "\(bench.folder)/home", cache: "\(bench.folder)/cache",
            database: DatabaseAddress(address, absolute: { $0 })
        ).openQueue()
        func awaitRunning(_ count: Int) throws {
            let deadline = ContinuousClock.now + .seconds(30)
            while try store.counts()[.running] != count {
                try #require(ContinuousClock.now < deadline)
                usleep(2000)
            }
        }
        let worker = try start("worker --workers 1 --quiet", on: address)
        let waiting = try start(
            "submit c.mp4 -o third.mp4 --preset 640x480 --wait --timeout 60", on: address)
        try awaitRunning(1)
        let batch = try start("batch a.mp4 b.mp4 -o out --preset 640x480 --workers 1", on: address)
        try awaitRunning(2)
        try server.halt()
        // Longer than a job takes, and than the tries to write its end that every database gets.
        sleep(6)
        try server.resume()
        let (batched, waited) = (batch.wait(), waiting.wait())
        worker.signal(SIGTERM)
        #expect(worker.wait().exitCode == 143)
        #expect(batched.exitCode == 0, "\(batched.errorText)")
        #expect(waited.exitCode == 0, "\(waited.errorText)")
        #expect(batched.errorText.contains("the database answers again"), "\(batched.errorText)")
        #expect(batched.errorText.contains("waiting for it"), "\(batched.errorText)")
        for job in try store.jobs(JobFilter()) {
            #expect([.succeeded, .cached].contains(job.state), "\(job)")
            #expect(job.machine.failures == 0 && job.machine.interruptions == 0, "\(job)")
        }
        for name in ["out/a.mp4", "out/b.mp4", "third.mp4"] {
            #expect(try MediaTools.probe("\(bench.folder)/\(name)").streams.count == 2)
        }
    }

    @Test("a dry run and doctor make nothing on a server, and its notices are not heard")
    func emptyServer() throws {
        try add(seconds: 2, as: "a.mp4")
        let dry = try run("batch a.mp4 -o out --dry-run")
        #expect(dry.exitCode == 0, "\(dry.errorText)")
        let doctor = try run("doctor")
        #expect(doctor.outputText.contains("not made yet"), "\(doctor.outputText)")
        #expect(!doctor.errorText.contains("NOTICE") && !dry.errorText.contains("NOTICE"))
        let places = StatePlaces(
            home: "\(bench.folder)/home", cache: "\(bench.folder)/cache",
            database: DatabaseAddress(state[5], absolute: { $0 }))
        #expect(try !places.hasQueue())
    }

    @Test(
        "a source whose disk was away for a while, and a job that was cancelled, cost no finished output"
    )
    func comesBack() throws {
        try FileManager.default.createDirectory(
            atPath: "\(bench.folder)/src", withIntermediateDirectories: true)
        try add(seconds: 1, as: "src/a.mp4")
        let job = "[{\"id\":\"one\",\"source\":\"src/a.mp4\",\"output\":\"one.mp4\"}]"
        try bench.write(job, to: "list.json")
        func batch() throws -> Int32? { try run("batch list.json --preset low").exitCode }
        #expect(try batch() == 0)
        #expect(try run("cache remove one").exitCode == 0)
        try FileManager.default.moveItem(
            atPath: "\(bench.folder)/src", toPath: "\(bench.folder)/away")
        #expect(try batch() == 3)
        try FileManager.default.moveItem(
            atPath: "\(bench.folder)/away", toPath: "\(bench.folder)/src")
        #expect(try batch() == 0)
        #expect(try run("cache remove one").exitCode != 0)
        for word in ["retry", "cancel", "retry"] {
            #expect(try run("jobs \(word) one").exitCode == 0)
        }
        let outcome = try run("worker --once --json")
        #expect(outcome.exitCode == 0 && outcome.outputText.contains("\"cached\""))
    }

    @Test("a worker and a daemon whose database file is removed end with 69 and say so")
    func removed() throws {
        try FileManager.default.createDirectory(
            atPath: "\(bench.folder)/in", withIntermediateDirectories: true)
        try expectEnd(of: "worker --home w --cache wc", home: "w")
        try expectEnd(of: "watch in --home d --cache dc", home: "d")
    }

    private func expectEnd(of line: String, home: String) throws {
        let process = try Subprocess(
            BuiltProduct.path(of: "takeup"), line.split(separator: " ").map(String.init),
            directory: bench.folder)
        let file = "\(bench.folder)/\(home)/takeup.sqlite"
        let deadline = ContinuousClock.now + .seconds(30)
        while !FileManager.default.fileExists(atPath: "\(file)-wal"),
            ContinuousClock.now < deadline
        { usleep(10_000) }
        usleep(1_000_000)
        for end in ["", "-wal", "-shm"] { unlink("\(file)\(end)") }
        let outcome = process.wait()
        #expect(outcome.exitCode == 69, "\(outcome.errorText)")
        #expect(outcome.errorText.contains("was removed or replaced"), "\(outcome.errorText)")
    }

    @Test("tables of a later version are told with 78, and that a later Takeup made them")
    func laterVersion() async throws {
        #expect(await bench.run("jobs list --home home --cache cache") == .success)
        let database = try SQLiteConnection(
            path: "\(bench.folder)/home/takeup.sqlite", durability: .normal)
        try database.execute("UPDATE migration SET version = 99")
        #expect(await bench.run("jobs list --home home --cache cache") == .configuration)
        #expect(bench.diagnostics.text.contains("a later version of Takeup"))
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
