import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Watch ledger's outbox")
struct WatchLedgerHooksTests {
    private let hook: Hook
    private let other: Hook

    init() throws {
        hook = try Hook(.command(["true"]))
        other = try Hook(.web(url: "http://127.0.0.1/", secretFile: nil), events: [.failed])
    }

    @Test("what became of a file and whom to tell are one step, and outlive a kill")
    func oneStep() throws {
        let bench = try LedgerBench()
        let handed = LedgerBench.file("a \"b\"\n'$(c)'.mov", job: "j1")
        let queued = try HookEvent(.queued, of: handed, at: bench.now)
        try bench.ledger.record(handed, telling: [try OutboxEntry(queued, to: [hook, other])])
        var done = try HookEvent(.done, of: handed, at: bench.now)
        done.output = .init(path: "/out/a.mp4", bytes: 7, sha256: "00", duration: 1.5)
        let notice = try OutboxEntry(done, to: [hook])
        let action = SourceAction(of: handed, job: "j1", kind: .move)
        #expect(try bench.ledger.end(handed, as: .done, then: action, telling: [notice]))
        // It has ended already: nothing is told that did not happen.
        #expect(try !bench.ledger.end(handed, as: .failed, telling: [notice]))
        let acted = try HookEvent(action, .done(at: "/in/done/a.mov"), at: bench.now)
        try bench.ledger.finish(action, telling: [try OutboxEntry(acted, to: [hook])])
        try bench.ledger.finish(action, telling: [try OutboxEntry(queued, to: [other])])

        let again = try bench.reopened()
        for event in [queued, done, acted] {
            let message = try #require(try again.nextMessage(to: hook, of: ["/in"]))
            #expect(message.event == event)
            #expect(try message.body == event.json())
            try again.finish(message)
        }
        #expect(try again.nextMessage(to: hook, of: ["/in"]) == nil)
        #expect(try again.nextMessage(to: other, of: ["/in"]) == nil)
    }

    @Test("a transaction that fails leaves neither the file nor the event")
    func takenBack() throws {
        let bench = try LedgerBench()
        var skipped = LedgerBench.file("a.mov", job: "j1")
        // Against a rule of the table.
        skipped.state = .skipped
        let event = try HookEvent(.skipped, of: skipped, at: bench.now)
        #expect(throws: WatchError.self) {
            try bench.ledger.record(skipped, telling: [try OutboxEntry(event, to: [hook])])
        }
        #expect(try bench.due(hook) == nil)
        try bench.record(.queued, job: "j2", to: [hook])
        let connection = try SQLiteConnection(
            path: bench.directory.file("state.db"), durability: .normal)
        try connection.run("DROP TABLE watch_hook")
        let handed = LedgerBench.file("b.mov", job: "j3")
        let queued = try HookEvent(.queued, of: handed, at: bench.now)
        #expect(throws: WatchError.self) {
            try bench.ledger.record(handed, telling: [try OutboxEntry(queued, to: [hook])])
        }
        #expect(try bench.ledger.file("b.mov", in: "/in") == nil)
    }

    @Test("nothing overtakes an earlier event of its file, whatever the job; other files do")
    func order() throws {
        let bench = try LedgerBench()
        try bench.record(.queued, job: "j1", to: [hook])
        let file = LedgerBench.file("j1.mov", job: "made again")
        let done = try HookEvent(.done, of: file, at: bench.now)
        try bench.ledger.record(file, telling: [try OutboxEntry(done, to: [hook])])
        try bench.record(.queued, job: "j2", to: [hook])
        let first = try #require(try bench.due(hook))
        #expect(first.event.name == .queued && first.event.job == "j1")
        try bench.ledger.postpone(first, because: "away", bySeconds: 100)
        let second = try #require(try bench.due(hook))
        #expect(second.event.job == "j2")
        try bench.ledger.finish(second)
        #expect(try bench.due(hook) == nil)
        bench.wait(100)
        let again = try #require(try bench.due(hook))
        #expect(again.tries == 1 && again.body == first.body)
        try bench.ledger.finish(again)
        #expect(try bench.due(hook)?.event.name == .done)
    }

    @Test("an event is there once for each hook, however often it is recorded")
    func once() throws {
        let bench = try LedgerBench()
        try bench.record(.failed, job: "j1", to: [hook, other])
        try bench.record(.failed, job: "j1", to: [hook, other])
        #expect(try bench.ledger.untriedMessages(to: [hook], of: ["/in"]) == 1)
        #expect(try bench.ledger.untriedMessages(to: [hook, other], of: ["/in"]) == 2)
        #expect(try bench.ledger.untriedMessages(to: [hook, other], of: ["/else"]) == 0)
    }

    @Test("events of hooks that are not set any more go; those of other daemons' folders stay")
    func orphans() throws {
        let bench = try LedgerBench()
        try bench.record(.failed, job: "j1", to: [hook, other])
        try bench.record(.failed, job: "j2", to: [other], folder: "/else")
        #expect(try bench.ledger.dropMessages(toOthersThan: [hook], of: ["/in"]) == 1)
        #expect(try bench.due(hook) != nil)
        #expect(try bench.due(other) == nil)
        #expect(try bench.due(other, ["/in", "/else"]) != nil)
        bench.wait(31 * 86_400)
        // Nobody has served that folder for long; what is served here is still told once.
        #expect(try bench.ledger.dropMessages(toOthersThan: [hook], of: ["/in"]) == 1)
        #expect(try bench.due(hook) != nil)
    }

    @Test("an event that this version cannot read is passed over")
    func unreadable() throws {
        let bench = try LedgerBench()
        try bench.record(.queued, job: "j1", to: [hook])
        try bench.record(.done, job: "j1", to: [hook])
        let connection = try SQLiteConnection(
            path: bench.directory.file("state.db"), durability: .normal)
        try connection.run("UPDATE watch_hook SET body = '{}' WHERE sequence = 1")
        #expect(try bench.due(hook)?.event.name == .done)
    }

    @Test("a finish of what was dropped ends nothing that came in its place")
    func reusedPlace() throws {
        let bench = try LedgerBench()
        try bench.record(.queued, job: "j1", to: [hook])
        let old = try #require(try bench.due(hook))
        #expect(try bench.ledger.dropMessages(toOthersThan: [], of: ["/in"]) == 1)
        try bench.record(.queued, job: "j2", to: [hook])
        try bench.ledger.finish(old)
        try bench.ledger.postpone(old, because: "late", bySeconds: 9)
        #expect(try bench.due(hook)?.event.job == "j2")
    }

    @Test("the oldest go when too many wait, and it is said how many")
    func overflow() throws {
        let bench = try LedgerBench()
        let connection = try SQLiteConnection(
            path: bench.directory.file("state.db"), durability: .normal)
        let first = try bench.record(.queued, job: "j0", to: [hook, other])
        let many = WatchLedger.mostHookEvents + 997
        try connection.run(
            """
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?1)
            INSERT INTO watch_hook (hook, folder, line, event, body, created_at, due_at)
                SELECT ?2, '/in', 'l' || n, 'e' || n, '{}', 0, 0 FROM number
            """, [.integer(many), .text(hook.key)])
        #expect(bench.ledger.takeOverflow(of: hook) == 0)
        // The first is in place 1, so that these are 100,999 and 101,000.
        try bench.record(.queued, job: "j1", to: [hook])
        try bench.record(.queued, job: "j2", to: [hook])
        #expect(bench.ledger.takeOverflow(of: hook) == 1000)
        #expect(bench.ledger.takeOverflow(of: hook) == 0)
        let left = try connection.query(
            "SELECT count(*), sum(event = ?1) FROM watch_hook WHERE hook = ?2",
            [.text(first), .text(hook.key)]
        ) { [$0.integer(0), $0.integer(1)] }
        #expect(left == [[Int64(WatchLedger.mostHookEvents), 0]])
    }
}
