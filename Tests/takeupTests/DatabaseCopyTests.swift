import Foundation
import TakeupCache
import TakeupJobs
import TakeupModel
import TakeupSQL
import TestSupport
import Testing

/// A copy of a database that somebody else begins to use.
@Suite("A copy of a database")
struct DatabaseCopyTests {
    /// Where a worker begins, while the copy stands still.
    struct Moment: Sendable, CustomTestStringConvertible {
        var isFromServer = false
        var isAtSource = false
        /// Whether nearly everything is copied by then; otherwise the copy has looked at that side once, and holds nothing there.
        var isLate = false

        var testDescription: String {
            "\(isFromServer ? "from" : "to") a server, at its \(isAtSource ? "source" : "target")"
                + (isLate ? ", late" : "")
        }
    }

    private let bench: TestBench
    private let file: any SQLDatabase
    private let server: any SQLDatabase

    init() throws {
        bench = try TestBench()
        file = try TestDatabase.sqlite.database(in: bench.folder)
        server = try TestDatabase.postgres.database(in: bench.folder)
    }

    @Test(
        "a worker that begins behind its back is seen",
        arguments: [
            Moment(isAtSource: true), Moment(), Moment(isFromServer: true, isAtSource: true),
            Moment(isFromServer: true), Moment(isLate: true),
        ])
    func lateWorker(moment: Moment) throws {
        let source = try made(moment.isFromServer ? server : file)
        let spec = JobSpec(
            id: JobID(rawValue: "one"),
            ExportRequest(
                Composition(joining: ["/in/a.mov"]), preset: ExportPreset.sound(named: "p")))
        #expect(try source.submit([spec]) == [.accepted])
        // A server whose tables are missing has them made after the first look at the source.
        let isMade = moment.isFromServer || !moment.isAtSource
        let target = isMade ? try made(moment.isFromServer ? file : server) : nil
        let holder = try server.connect(.normal)
        try holder.execute(
            moment.isLate
                ? "BEGIN; UPDATE cache_total SET entries = entries" : holder.dialect.begin(.writers)
        )
        let addresses = [
            "sqlite:\(bench.folder)/takeup.db", try TestDatabase.address(for: bench.folder),
        ]
        let copy = try Subprocess(
            BuiltProduct.path(of: "takeup"),
            ["database", "copy"] + (moment.isFromServer ? addresses.reversed() : addresses),
            directory: bench.folder)
        try awaitWaiter(for: holder)
        let used = moment.isAtSource ? source : try #require(target)
        let worker = WorkerEntry(
            id: WorkerID(rawValue: "w"), host: "h", process: 1, version: "1", state: .working,
            lanes: 1, running: 0, scope: ClaimScope())
        #expect(try used.register(worker))
        try holder.execute("COMMIT")
        let ended = copy.wait()
        #expect(ended.exitCode == 75, "\(ended.outputText) \(ended.errorText)")
        #expect(ended.errorText.contains("a worker runs on h"), "\(ended.errorText)")
        #expect(try made(moment.isFromServer ? file : server).counts().isEmpty)
    }

    /// Opens a queue, and makes the tables of both owners.
    private func made(_ database: any SQLDatabase) throws -> SQLJobStore {
        _ = try Manifest(database, now: { 0 })
        return try SQLJobStore(database)
    }

    /// Returns once somebody waits for what a connection holds.
    private func awaitWaiter(for holder: any SQLConnection) throws {
        let process = try holder.query("SELECT pg_backend_pid()") { $0.integer(0) }[0]
        let observer = try server.connect(.normal)
        let end = ContinuousClock.now + .seconds(60)
        func isAwaited() throws -> Bool {
            let waiters = try observer.query(
                """
                SELECT 1 FROM pg_stat_activity
                WHERE CAST(?1 AS INTEGER) = ANY (pg_blocking_pids(pid))
                """, [.integer(process)]
            ) { $0.integer(0) }
            return !waiters.isEmpty
        }
        while try !isAwaited() {
            try #require(ContinuousClock.now < end, "the copy waits for nothing")
            usleep(10_000)
        }
    }
}
