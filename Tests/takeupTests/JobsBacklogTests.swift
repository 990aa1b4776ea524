import TakeupIngest
import TakeupModel
import TakeupService
import TakeupWatch
import Testing

@testable import takeup

@Suite("What waits beside the jobs of a list")
struct JobsBacklogTests {
    @Test(
        "says in words how much waits, and nothing when nothing does",
        arguments: [
            (0, 0, nil), (0, 1, "1 hook event waits"), (0, 2, "2 hook events wait"),
            (1, 0, "1 action on a source waits"),
            (3, 2, "3 actions on sources and 2 hook events wait"),
        ])
    func words(actions: Int, events: Int, words: String?) {
        let backlog = WatchBacklog(
            actions: actions > 0 ? ["/in": actions] : [:], hookEvents: events)
        #expect(backlog.words == words)
    }

    /// A queue without jobs whose database knows of an action that could not be done.
    private func bench() throws -> QueueBench {
        let bench = try QueueBench()
        try bench.places.openLedger { 1_000_000 }.noteWaitingAction(in: "/in")
        return bench
    }

    @Test("a list of all jobs ends with it on standard error")
    func list() async throws {
        let bench = try bench()
        #expect(await bench.run("jobs list") == .success)
        #expect(bench.bench.output.text.isEmpty)
        #expect(bench.bench.diagnostics.text.contains("takeup: 1 action on a source waits: "))
    }

    @Test(
        "scripts and lists of some jobs are spared it",
        arguments: ["--json", "--quiet", "--state queued", "--limit 5"])
    func spared(words: String) async throws {
        let bench = try bench()
        #expect(await bench.run("jobs list \(words)") == .success)
        #expect(!bench.bench.diagnostics.text.contains("wait"))
    }

    @Test("a queue beside which nothing was ever watched has nothing to say, and stays as it is")
    func never() async throws {
        let bench = try QueueBench()
        #expect(await bench.run("jobs list") == .success)
        #expect(bench.bench.diagnostics.lines == ["takeup: no jobs"])
        #expect(try bench.places.existingLedger(now: { 0 }) == nil)
    }
}
