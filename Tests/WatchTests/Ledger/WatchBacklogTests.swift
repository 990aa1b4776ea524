import Foundation
import TestSupport
import Testing

import TakeupSQL
@testable import TakeupSQLite
@testable import TakeupWatch

@Suite("Watch backlog")
struct WatchBacklogTests {
    /// Notes an action that has to be done with a source.
    private func expect(_ path: String, in folder: String, _ bench: borrowing LedgerBench) throws
        -> SourceAction
    {
        let file = LedgerBench.file(path, folder: folder)
        let action = SourceAction(of: file, job: "j1", kind: .move)
        try bench.ledger.expect(action)
        return action
    }

    @Test(
        "counts by folder what failed and is tried again, and nothing that was not tried or is gone"
    )
    func actions() throws {
        let bench = try LedgerBench()
        #expect(try bench.ledger.backlog() == WatchBacklog())
        for (path, folder) in [("a", "/in"), ("b", "/in"), ("c", "/other")] {
            let action = try expect(path, in: folder, bench)
            try bench.ledger.postpone(action, because: "read-only", bySeconds: 9)
        }
        _ = try expect("untried", in: "/in", bench)
        let gone = try expect("gone", in: "/in", bench)
        try bench.ledger.postpone(gone, because: "read-only", bySeconds: 9)
        try bench.ledger.park(gone)
        #expect(try bench.ledger.backlog().actions == ["/in": 2, "/other": 1])
        let done = try expect("c", in: "/other", bench)
        try bench.ledger.finish(done, isDone: true)
        #expect(try bench.ledger.backlog().actions == ["/in": 2])
    }

    @Test("counts every event that a hook has not been told")
    func events() throws {
        let bench = try LedgerBench()
        let hooks = try ["true", "false"].map { try Hook(.command([$0])) }
        try bench.record(.done, job: "j1", to: hooks)
        try bench.record(.done, job: "j2", to: hooks, folder: "/other")
        #expect(try bench.ledger.backlog().hookEvents == 4)
        let message = try #require(try bench.due(hooks[0]))
        try bench.ledger.finish(message)
        #expect(try bench.ledger.backlog().hookEvents == 3)
    }

    @Test("a database is opened for it only where folders were watched, and nothing is made")
    func opened() throws {
        let folder = try TemporaryDirectory()
        let path = folder.file("state.db")
        #expect(try WatchLedger(madeAt: path, now: { 0 }) == nil)
        #expect(access(path, F_OK) != 0)
        let connection = try SQLiteConnection(path: path, durability: .full)
        #expect(try WatchLedger(madeAt: path, now: { 0 }) == nil)
        let tables = try connection.query("SELECT name FROM sqlite_schema") { $0.text(0) }
        #expect(tables.isEmpty)
        _ = try WatchLedger(path: path) { 0 }
        #expect(try WatchLedger(madeAt: path, now: { 0 })?.backlog() == WatchBacklog())
    }
}
