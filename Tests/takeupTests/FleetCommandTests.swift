import Foundation
import TakeupJobs
import TakeupModel
import TakeupSQL
import TestSupport
import Testing

@testable import TakeupService
@testable import takeup

/// The program on a server that several machines share.
@Suite("A fleet")
struct FleetCommandTests {
    private let bench: TestBench
    private let address: String

    init() throws {
        bench = try TestBench()
        _ = try TestDatabase.postgres.database(in: bench.folder)
        address = try TestDatabase.address(for: bench.folder)
        try FileManager.default.copyItem(
            atPath: try Clip.base(seconds: 2).path, toPath: "\(bench.folder)/a.mp4")
    }

    private func start(
        _ line: String, home: String = "home", database: String? = nil, faketime: String? = nil
    ) throws -> Subprocess {
        let words =
            line.split(separator: " ").map(String.init) + [
                "--home", "\(bench.folder)/\(home)", "--cache", "\(bench.folder)/cache",
                "--database", database ?? address,
            ]
        guard let faketime else {
            return try Subprocess(
                BuiltProduct.path(of: "takeup"), words, directory: bench.folder)
        }
        return try Subprocess(
            "/usr/bin/env",
            // Times of files stay as they are: a source is known by its own.
            ["NO_FAKE_STAT=1", Self.faketime, "-f", faketime, BuiltProduct.path(of: "takeup")]
                + words, directory: bench.folder)
    }

    private static let faketime = "/usr/bin/faketime"

    private func run(
        _ line: String, database: String? = nil, faketime: String? = nil
    ) throws -> Subprocess.Outcome {
        try start(line, database: database, faketime: faketime).wait()
    }

    private func store(_ home: String = "home") throws -> SQLJobStore {
        try StatePlaces(
            home: "\(bench.folder)/\(home)", cache: "\(bench.folder)/cache",
            database: DatabaseAddress(address, absolute: { $0 })
        ).openQueue()
    }

    private func workers() throws -> [[String: Any]] {
        let said = try run("workers list --json").outputText
        let json = try JSONSerialization.jsonObject(with: Data(said.utf8))
        return try #require(json as? [[String: Any]])
    }

    private func waitUntil(_ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while try !condition() {
            try #require(ContinuousClock.now < deadline)
            usleep(20_000)
        }
    }

    @Test("workers are listed with what they take, start a submitted job at once, and leave")
    func listed() throws {
        let worker = try start(
            "worker --workers 2 --queues a,default --tags gpu --quiet", home: "h1")
        try waitUntil { try workers().count == 1 }
        let listed = try #require(try workers().first)
        #expect(listed["state"] as? String == "working")
        #expect(listed["queues"] as? [String] == ["a", "default"])
        #expect(listed["tags"] as? [String] == ["gpu"])
        #expect(listed["lanes"] as? Int == 2 && listed["jobs"] as? Int == 0)
        // Until it looks by itself again there are seconds.
        usleep(1_500_000)
        #expect(try run("submit a.mp4 --queue a --tag gpu --id one").exitCode == 0)
        #expect(try run("submit a.mp4 --queue b --preset low --id two").exitCode == 0)
        let store = try store()
        try waitUntil { try store.job(JobID(rawValue: "one"))?.state == .succeeded }
        let record = try #require(try store.job(JobID(rawValue: "one")))
        let waited = try #require(record.startedAt) - record.createdAt
        #expect(waited < 0.5, "it waited for \(waited) s")
        #expect(try store.job(JobID(rawValue: "two"))?.state == .queued)
        worker.signal(SIGTERM)
        #expect(worker.wait().exitCode == 143)
        #expect(try workers().isEmpty)
    }

    @Test("a job that waits for its time starts then, and not before")
    func scheduled() throws {
        let worker = try start("worker --quiet", home: "h1")
        try waitUntil { try workers().count == 1 }
        let store = try store()
        var spec = JobSpec(
            id: JobID(rawValue: "later"),
            ExportRequest(
                Composition(joining: ["\(bench.folder)/a.mp4"]),
                preset: try ExportPreset.named("low")))
        spec.notBefore = store.now() + 3
        #expect(try store.submit([spec]) == [.accepted])
        try waitUntil { try store.job(spec.id)?.state == .succeeded }
        let record = try #require(try store.job(spec.id))
        let late = try #require(record.startedAt) - (spec.notBefore ?? 0)
        #expect((0..<1).contains(late), "it began \(late) s late")
        worker.signal(SIGTERM)
        #expect(worker.wait().exitCode == 143)
    }

    @Test(
        "a clock that is ten minutes off changes no time of a job",
        .enabled(if: FileManager.default.fileExists(atPath: faketime), "faketime is not installed"),
        arguments: ["+600s", "-600s"])
    func clocks(offset: String) throws {
        #expect(try run("submit a.mp4 --id one", faketime: offset).exitCode == 0)
        let outcome = try run("worker --once --quiet")
        #expect(outcome.exitCode == 0, "\(outcome.errorText)")
        let record = try #require(try store().job(JobID(rawValue: "one")))
        #expect(record.state == .succeeded)
        let now = Date().timeIntervalSince1970
        for time in [record.createdAt, record.startedAt ?? 0, record.finishedAt ?? 0] {
            #expect(abs(now - time) < 60, "\(now - time) s away")
        }
    }

    @Test("no password of an address is seen: not by ps, not in messages, not by doctor")
    func passwords() throws {
        let secret = "SeCrEtWoRd"
        let open = address.replacing("takeup@", with: "takeup:\(secret)@")
        let worker = try start("worker --verbose", home: "h1", database: open)
        try waitUntil { try workers().count == 1 }
        let path = "/proc/\(worker.pid)/cmdline"
        let line = String(
            decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
        #expect(line.contains("takeup:***"), "\(line)")
        #expect(!line.contains(secret))
        worker.signal(SIGTERM)
        let ended = worker.wait()
        #expect(!ended.errorText.contains(secret) && !ended.outputText.contains(secret))
        let closed = "postgres://takeup:\(secret)@127.0.0.1:1/x?password=\(secret)"
        for command in [
            "doctor", "doctor --json", "jobs list", "workers list --json", "database check",
            "submit a.mp4 --json",
        ] {
            let outcome = try run(command, database: closed)
            #expect(outcome.exitCode != 0, "\(command)")
            #expect(!outcome.errorText.contains(secret), "\(command): \(outcome.errorText)")
            #expect(!outcome.outputText.contains(secret), "\(command): \(outcome.outputText)")
        }
    }

    @Test("a worker whose database a later version takes over says so, and takes nothing more")
    func outdated() throws {
        let worker = try start("worker --quiet --drain 5s", home: "h1")
        try waitUntil { try workers().count == 1 }
        let connection = try TestDatabase.postgres.database(in: bench.folder).connect(.full)
        try connection.execute("UPDATE migration SET version = version + 1 WHERE owner = 'jobs'")
        let ended = worker.wait()
        #expect(ended.exitCode == 78, "\(ended.errorText)")
        #expect(ended.errorText.contains("later version"))
        let another = try run("worker --once")
        #expect(another.exitCode == 78, "\(another.errorText)")
    }

    @Test("a queue moves to a server and back, whole, and refuses while workers run")
    func moves() throws {
        let file = "sqlite:\(bench.folder)/home/takeup.sqlite"
        #expect(try run("submit a.mp4 --id done --preset low", database: file).exitCode == 0)
        #expect(try run("worker --once --quiet", database: file).exitCode == 0)
        #expect(try run("submit a.mp4 --id waits --key k --tag gpu", database: file).exitCode == 0)
        #expect(try run("cache get done", database: file).exitCode == 0)
        let worker = try start("worker --quiet", database: file)
        try waitUntil {
            let said = try run("workers list --json", database: file).outputText
            return said.contains("working")
        }
        let refused = try run("database copy \(file) \(address)")
        #expect(refused.exitCode == 75, "\(refused.errorText)")
        #expect(refused.errorText.contains("a worker runs"))
        worker.signal(SIGTERM)
        _ = worker.wait()
        let copied = try run("database copy \(file) \(address) --json")
        #expect(copied.exitCode == 0, "\(copied.errorText)")
        let json = try JSONSerialization.jsonObject(with: Data(copied.outputText.utf8))
        let tables = try #require((json as? [String: Any])?["tables"] as? [[String: Any]])
        let rows = Dictionary(
            uniqueKeysWithValues: tables.map { ($0["table"] as? String ?? "", $0["rows"] as? Int) })
        #expect(rows["job"] == 2 && rows["cache_entry"] == 1 && rows["cache_alias"] == 1)
        // As after a commit whose answer was lost.
        let repeated = try run("database copy \(file) \(address) --json")
        #expect(repeated.exitCode == 0 && repeated.outputText == copied.outputText)
        // The cache is known there, and the next token is higher than any before.
        let cached = try run("batch a.mp4 --preset low --json")
        #expect(
            cached.exitCode == 0 && cached.outputText.contains("\"cached\""), "\(cached.errorText)")
        let store = try store()
        let old = try #require(try store.job(JobID(rawValue: "done"))).token
        let waits = try #require(try store.job(JobID(rawValue: "waits")))
        #expect(waits.spec.key == "k" && waits.spec.tags == ["gpu"] && waits.state == .queued)
        #expect(try run("worker --once --tags gpu --quiet").exitCode == 0)
        #expect(try #require(try store.job(JobID(rawValue: "waits"))).token > old)
        let again = try run("database copy \(file) \(address)")
        #expect(again.exitCode == 75 && again.errorText.contains("already"), "\(again.errorText)")
        let back = "sqlite:\(bench.folder)/back.sqlite"
        #expect(try run("database copy \(address) \(back)").exitCode == 0)
        #expect(try run("database check", database: back).exitCode == 0)
        let found = try run("cache get waits", database: back)
        #expect(found.exitCode == 0, "\(found.errorText)")
        let missing = try run("database copy sqlite:/nowhere/x.sqlite \(address)")
        #expect(missing.exitCode == 66)
    }

    @Test(
        "how many standbys a commit waits for",
        arguments: [
            ("", 0), ("a", 1), ("a, b", 1), ("*", 1), ("2 (a, b, c)", 2), ("FIRST 2 (a, b)", 2),
            ("ANY 3 (a, b, c, d)", 3), ("first  1  (\"x y\")", 1), ("ANY 2(a, b)", 2),
        ])
    func standbys(names: String, needed: Int) {
        #expect(SynchronousStandbys.needed(names) == needed)
        #expect(SynchronousStandbys(names: names, connected: needed).areThere)
        #expect(needed == 0 || !SynchronousStandbys(names: names, connected: needed - 1).areThere)
    }

    @Test("check tells of standbys")
    func standbysOfServer() throws {
        #expect(try run("submit a.mp4").exitCode == 0)
        let connection = try TestDatabase.postgres.database(in: bench.folder).connect(.full)
        let found = try SynchronousStandbys(connection)
        #expect(found.needed == 0 && found.areThere)
        let check = try run("database check")
        #expect(check.outputText.contains("standbys: commits wait for none"))
    }

    @Test("check and doctor tell of the way to the server")
    func checks() throws {
        #expect(try run("submit a.mp4").exitCode == 0)
        let check = try run("database check")
        // The tests' server does not sync.
        #expect(check.exitCode == 1)
        for word in ["round trip", "fsync off", "clocks", "connections", "wake-ups", "jobs: 1"] {
            #expect(check.outputText.contains(word), "\(word): \(check.outputText)")
        }
        #expect(try run("doctor").outputText.contains("round trip"))
        let empty = try run("database check", database: "sqlite:\(bench.folder)/none.sqlite")
        #expect(empty.exitCode == 66)
    }
}
