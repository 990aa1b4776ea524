import TakeupLanes
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

@testable import TakeupWatch

@Suite("Hook line")
struct OutboxDispatcherTests {
    /// A hook that plays a receiver, and what it and the log were told.
    private final class Receiver {
        var answer: (HookMessage) -> HookAnswer = { _ in .delivered }
        private(set) var tried: [HookMessage] = []
        private(set) var notes: [HookNote] = []

        func line(_ hook: Hook, _ ledger: WatchLedger) -> OutboxDispatcher {
            var random = SeededRandom(state: 7)
            return OutboxDispatcher(
                hook, of: ["/in"], in: ledger,
                duties: .init(
                    deliver: { [self] message in
                        tried.append(message)
                        return answer(message)
                    },
                    random: { random.share() },
                    tell: { [self] in notes.append($0) }))
        }

        var delivered: [HookMessage] {
            notes.compactMap { note in
                if case .delivered(let message) = note { message } else { nil }
            }
        }
    }

    private let hook: Hook
    private let receiver = Receiver()

    init() throws {
        hook = try Hook(.command(["true"]))
    }

    @Test("a receiver that is away, then broken, then well gets everything, in order, under one id")
    func outage() throws {
        let bench = try LedgerBench()
        let began = bench.now
        receiver.answer = { [time = bench.time] _ in
            switch time.withLock({ $0 }) - began {
            case ..<600: .failed("refused")
            case ..<900: .failed("500")
            default: .delivered
            }
        }
        let line = receiver.line(hook, bench.ledger)
        var ids: [String] = []
        for number in 0..<40 {
            ids.append(try bench.record(.queued, job: "j\(number)", to: [hook]))
            let end = bench.now + 10
            while bench.now < end { bench.wait(max(0.1, min(line.step(), end - bench.now))) }
            ids.append(try bench.record(.done, job: "j\(number)", to: [hook]))
        }
        while bench.now < began + 5400 { bench.wait(max(0.1, line.step())) }
        let delivered = receiver.delivered
        #expect(delivered.map(\.event.id).sorted() == ids.sorted())
        for number in 0..<40 {
            let names = delivered.filter { $0.event.job == "j\(number)" }.map(\.event.name)
            #expect(names == [.queued, .done])
        }
        let bodies = Dictionary(grouping: receiver.tried, by: \.event.id)
        #expect(bodies.values.allSatisfy { Set($0.map(\.body)).count == 1 })
        // An outage is asked about once a minute or so, not once an event.
        let failures = receiver.tried.count - delivered.count
        #expect((15...25).contains(failures))
        #expect(try bench.ledger.nextMessage(to: hook, of: ["/in"]) == nil)
    }

    @Test("waits 5 s after the first failure, twice as long after each, an hour at most")
    func backOff() throws {
        let bench = try LedgerBench()
        receiver.answer = { _ in .failed("no") }
        try bench.record(.queued, job: "j", to: [hook])
        let line = receiver.line(hook, bench.ledger)
        var times: [Double] = []
        while times.count < 14 {
            let before = receiver.tried.count
            let seconds = line.step()
            if receiver.tried.count > before { times.append(bench.now) }
            bench.wait(max(0.001, seconds))
        }
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        let expected = (0..<13).map { min(5 * Double(1 << $0), 3600) }
        for (gap, least) in zip(gaps, expected) {
            #expect(gap >= least && gap <= least * 1.2 + 1)
        }
    }

    @Test(
        "an event waits as long as is asked, an hour at most, the others a minute",
        arguments: [0.0, 90, 1e9])
    func asked(seconds: Double) throws {
        let bench = try LedgerBench()
        receiver.answer = { _ in .failed("busy", afterSeconds: seconds) }
        try bench.record(.queued, job: "j", to: [hook])
        let line = receiver.line(hook, bench.ledger)
        let wait = line.step()
        #expect(wait >= max(5, min(seconds, 60)) && wait <= max(6, min(seconds, 60)))
        let due = try #require(try bench.ledger.nextMessage(to: hook, of: ["/in"])).dueAt
        let asked = due - bench.now
        #expect(asked >= max(5, min(seconds, 3600)) && asked <= max(6, min(seconds, 3600)))
        receiver.answer = { _ in .delivered }
        try bench.record(.queued, job: "other", to: [hook])
        bench.wait(wait)
        _ = line.step()
        #expect(receiver.delivered.map(\.event.job) == ["other"])
    }

    @Test("one event that the hook does not take delays its own job alone")
    func poison() throws {
        let bench = try LedgerBench()
        receiver.answer = { $0.event.job == "bad" ? .failed("400") : .delivered }
        try bench.record(.queued, job: "bad", to: [hook])
        try bench.record(.done, job: "bad", to: [hook])
        for number in 0..<20 { try bench.record(.queued, job: "j\(number)", to: [hook]) }
        let line = receiver.line(hook, bench.ledger)
        let began = bench.now
        while receiver.delivered.count < 20 { bench.wait(line.step()) }
        #expect(bench.now - began < 30)
        #expect(!receiver.tried.contains { $0.event.job == "bad" && $0.event.name == .done })
    }

    @Test("gives up what fails for a week, and no sooner; what was never tried is tried")
    func givesUp() throws {
        let bench = try LedgerBench()
        receiver.answer = { _ in .failed("no") }
        let began = bench.now
        let id = try bench.record(.queued, job: "j", to: [hook])
        let line = receiver.line(hook, bench.ledger)
        while try bench.ledger.nextMessage(to: hook, of: ["/in"]) != nil { bench.wait(line.step()) }
        #expect((604_800..<612_000).contains(bench.now - began))
        guard case .givenUp(let message, "no") = receiver.notes.last else {
            Issue.record("nothing is said about it")
            return
        }
        #expect(message.event.id == id)
        try bench.record(.queued, job: "k", to: [hook])
        bench.wait(30 * 86_400)
        receiver.answer = { _ in .delivered }
        _ = line.step()
        #expect(receiver.delivered.count == 1)
    }

    @Test("a hook that is gone is not asked again; a stop counts as nothing")
    func goneAndStopped() throws {
        let bench = try LedgerBench()
        let line = receiver.line(hook, bench.ledger)
        try bench.record(.queued, job: "j", to: [hook])
        receiver.answer = { _ in .stopped }
        _ = line.step()
        #expect(try bench.due(hook)?.tries == 0)
        #expect(receiver.notes.isEmpty)
        receiver.answer = { _ in .refused("410") }
        #expect(line.step() == 0)
        #expect(try bench.due(hook) == nil)
        #expect(receiver.notes.count == 1)
    }

    @Test("events of a later version are left to it, and told about once; after a week they go")
    func unread() throws {
        let bench = try LedgerBench()
        try bench.record(.queued, job: "j", to: [hook])
        let connection = try SQLiteConnection(
            path: bench.directory.file("state.db"), durability: .normal)
        let body = try connection.query("SELECT body FROM watch_hook", []) { $0.text(0) }.first
        try connection.run("UPDATE watch_hook SET body = '{\"type\":\"watch.new\"}'")
        let line = receiver.line(hook, bench.ledger)
        let began = bench.now
        while bench.now < began + 86_400 { bench.wait(line.step()) }
        #expect(receiver.tried.isEmpty)
        #expect(receiver.notes == [.unreadable(UnreadEvents(kept: 1))])
        try connection.run("UPDATE watch_hook SET body = ?1", [.text(try #require(body))])
        while bench.now < began + 90_001 { bench.wait(line.step()) }
        #expect(receiver.delivered.count == 1)
        try bench.record(.done, job: "j", to: [hook])
        try connection.run("UPDATE watch_hook SET body = '{}'")
        while bench.now < began + 700_000 { bench.wait(line.step()) }
        #expect(receiver.notes.last == .unreadable(UnreadEvents(dropped: 1)))
        #expect(
            try connection.query("SELECT count(*) FROM watch_hook", []) { $0.integer(0) } == [0])
    }

    @Test("a clock that is set back by years stops nothing")
    func clockSetBack() throws {
        let bench = try LedgerBench()
        receiver.answer = { _ in .failed("no") }
        let line = receiver.line(hook, bench.ledger)
        try bench.record(.queued, job: "j", to: [hook])
        _ = line.step()
        bench.wait(-900_000)
        receiver.answer = { _ in .delivered }
        #expect(line.step() == 0)
        #expect(receiver.delivered.count == 1)
    }

    @Test("what was told is not told again while the database takes no writes")
    func brokenDatabase() throws {
        let bench = try LedgerBench()
        try bench.record(.queued, job: "j", to: [hook])
        let line = receiver.line(hook, bench.ledger)
        let connection = try SQLiteConnection(
            path: bench.directory.file("state.db"), durability: .normal)
        try connection.execute(
            """
            CREATE TRIGGER full BEFORE DELETE ON watch_hook
                BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
        for _ in 0..<3 { #expect(line.step() == OutboxDispatcher.brokenSeconds) }
        #expect(receiver.tried.count == 1)
        #expect(receiver.notes.count == 2)
        try connection.execute("DROP TRIGGER full")
        _ = line.step()
        #expect(receiver.tried.count == 1)
        #expect(try bench.due(hook) == nil)
    }
}
