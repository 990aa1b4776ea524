import Foundation
import TakeupCache
import TakeupJobs
import TakeupLanes
import TakeupSQL
import TakeupSQLite
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupWorker

@Suite("A database that is away for a moment")
struct DatabaseOutageTests {
    /// While sources are hashed, when the work begins, and when the result is announced.
    @Test(
        "costs a job no attempt and no work, whether it does not answer or is locked",
        arguments: ["file_digest", "SET work_key", "SET publication"],
        [SQLError.Kind.unreachable, .busy])
    func running(word: String, kind: SQLError.Kind) async throws {
        let trial = try WorkerTrial()
        let database = FlickeringDatabase(
            SQLiteDatabase(path: trial.directory.file("state/takeup.sqlite")),
            refuses: word, kind, times: 5)
        let cache = try MediaCache(
            path: trial.directory.file("cache"),
            manifest: try Manifest(database, now: WallClock.now),
            limits: CacheLimits(minFreeBytes: 0))
        let worker = try Worker(
            store: try SQLJobStore(database), cache: cache, configuration: trial.configuration,
            log: .silent)
        _ = try trial.store.submit([try trial.spec("a", [try Clip.base(seconds: 1).path])])
        let job = try #require(try await trial.run(["a"], on: worker)["a"])
        #expect(database.refusals == 5)
        #expect(job.state == .succeeded && job.token == 1 && job.fault == nil)
    }

    @Test("keeps no end from those who wait for it")
    func ends() async throws {
        let trial = try WorkerTrial()
        let database = FlickeringDatabase(
            SQLiteDatabase(path: trial.directory.file("state/takeup.sqlite")),
            refuses: "SELECT spec", times: 6, after: "ended_token = coalesce")
        let worker = try Worker(
            store: try SQLJobStore(database), cache: trial.cache,
            configuration: trial.configuration, log: .silent)
        let spec = try trial.spec("a", [try Clip.base(seconds: 1).path])
        _ = try trial.store.submit([spec])
        let events = worker.events(of: spec.id)
        _ = try await trial.run(["a"], on: worker)
        var ends: [JobState] = []
        for await case .ended(let record) in events { ends.append(record.state) }
        #expect(database.refusals == 6)
        #expect(ends == [.succeeded])
    }
}

/// Answers some statements as a server that is away, a few times: from the beginning, or once another one was asked.
private final class FlickeringDatabase: SQLDatabase {
    private let base: any SQLDatabase
    private let word: String
    private let kind: SQLError.Kind
    private let times: Int
    private let beginning: String?
    private let count = Locked(0)
    private let hasBegun: Locked<Bool>

    init(
        _ base: any SQLDatabase, refuses word: String, _ kind: SQLError.Kind = .unreachable,
        times: Int, after beginning: String? = nil
    ) {
        (self.base, self.word, self.times, self.beginning) = (base, word, times, beginning)
        self.kind = kind
        hasBegun = Locked(beginning == nil)
    }

    var name: String { base.name }
    var refusals: Int { count.withLock { $0 } }

    func connect(_ durability: SQLDurability) throws(SQLError) -> any SQLConnection {
        Connection(try base.connect(durability), self)
    }

    private func check(_ sql: String) throws(SQLError) {
        if let beginning, sql.contains(beginning) { hasBegun.withLock { $0 = true } }
        let isRefused =
            hasBegun.withLock { $0 } && sql.contains(word)
            && count.withLock { count in
                guard count < times else { return false }
                count += 1
                return true
            }
        guard isRefused else { return }
        throw SQLError(.step, kind, code: "test", message: "away", database: name)
    }

    private final class Connection: SQLConnection {
        private let base: any SQLConnection
        private let database: FlickeringDatabase

        init(_ base: any SQLConnection, _ database: FlickeringDatabase) {
            (self.base, self.database) = (base, database)
        }

        var dialect: SQLDialect { base.dialect }
        var name: String { base.name }
        var nesting: Int {
            get { base.nesting }
            set { base.nesting = newValue }
        }

        func set(_ durability: SQLDurability) throws(SQLError) { try base.set(durability) }
        func execute(_ script: String) throws(SQLError) { try base.execute(script) }

        func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) -> Int {
            try database.check(sql)
            return try base.run(sql, values)
        }

        func runLater(_ sql: String, _ values: [SQLValue]) throws(SQLError) {
            try database.check(sql)
            try base.runLater(sql, values)
        }

        func confirm() { base.confirm() }

        func query<Value>(
            _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) -> Value
        ) throws(SQLError) -> [Value] {
            try database.check(sql)
            return try base.query(sql, values, read)
        }
    }
}
