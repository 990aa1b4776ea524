import Foundation
import TakeupIntake
import TakeupJobs
import TakeupModel
import Testing

@testable import takeup

@Suite("Jobs commands")
struct JobsCommandTests {
    private var failed: JobRecord {
        let machine = JobStateMachine(
            state: .failed, retries: 3, failures: 4, crashes: 1, interruptions: 2)
        var record = FakeQueue.record("bad", machine)
        record.finishedAt = 1_003_000
        record.fault = Failure(
            exitCode: .inputOutput, code: "diskFull", stage: "mux", message: "no space\nleft",
            hint: "free some")
        return record
    }

    @Test("only a job that runs has progress", arguments: JobState.allCases)
    func progress(state: JobState) {
        var record = FakeQueue.record("a", state)
        record.progress = JobProgress(phase: "encode", fraction: 0.42)
        #expect("\(record.json)".contains(#""progress":null"#) == (state != .running))
    }

    private var running: JobRecord {
        var record = FakeQueue.record("busy", .running)
        record.startedAt = 1_003_480
        record.progress = JobProgress(
            phase: "encode", fraction: 0.42, speed: 2, etaSeconds: 61)
        return record
    }

    private func array(_ bench: TestBench) throws -> [[String: Any]] {
        let decoded = try JSONSerialization.jsonObject(with: Data(bench.output.text.utf8))
        return try #require(decoded as? [[String: Any]])
    }

    @Test("list is one array, of the states that are asked for")
    func listJSON() async throws {
        let queue = FakeQueue([FakeQueue.record("next", .queued), running, failed])
        let bench = try TestBench()
        #expect(await bench.run("jobs list --json", queue: queue) == .success)
        let jobs = try array(bench)
        #expect(jobs.compactMap { $0["id"] as? String } == ["bad", "busy", "next"])
        #expect(jobs.compactMap { $0["state"] as? String } == ["failed", "running", "queued"])
        #expect(jobs[2]["source"] as? String == "/in/next.mov")
        #expect(jobs[2]["createdAt"] as? String == "1970-01-12T13:46:40Z")
        #expect(jobs[2]["error"] is NSNull)
        #expect((jobs[1]["progress"] as? [String: Any])?["fraction"] as? Double == 0.42)
        #expect((jobs[0]["error"] as? [String: Any])?["code"] as? String == "diskFull")
        let some = try TestBench()
        let line = "jobs list --json --state failed --state queued --limit 1"
        #expect(await some.run(line, queue: queue) == .success)
        #expect(try array(some).compactMap { $0["id"] as? String } == ["bad"])
        let none = try TestBench()
        #expect(await none.run("jobs list --json", queue: FakeQueue([])) == .success)
        #expect(none.output.text == "[]\n")
    }

    @Test(
        "list counts what it cannot show",
        arguments: [(1, "1 job is not shown"), (2, "2 jobs are not shown")])
    func listUnreadable(count: Int, words: String) async throws {
        let bench = try TestBench()
        #expect(await bench.run("jobs list", queue: FakeQueue([], unreadable: count)) == .success)
        #expect(bench.diagnostics.text.contains(words))
    }

    @Test("list for people is a table with ages")
    func listText() async throws {
        let bench = try TestBench()
        #expect(await bench.run("jobs list", queue: FakeQueue([failed, running])) == .success)
        #expect(
            bench.output.lines == [
                "ID    STATE         SINCE       PRESET  SOURCE",
                "busy  running 42 %  2 min ago   medium  /in/busy.mov",
                "bad   failed        10 min ago  medium  /in/bad.mov",
            ])
    }

    @Test("show explains, in words and as JSON")
    func show() async throws {
        let queue = FakeQueue([failed, running])
        let bench = try TestBench()
        #expect(await bench.run("jobs show bad", queue: queue) == .success)
        let text = bench.output.text
        #expect(text.contains("failed in each of 4 attempts\n"))
        #expect(text.contains("4 failed, 1 crashed, 2 interrupted\n"))
        #expect(text.contains("no space\\nleft (diskFull)\n"))
        #expect(text.contains("free some\n"))
        #expect(text.contains("1970-01-12T14:36:40Z (10 min ago)\n"))
        #expect(text.contains("title=x\\u{1b}[2J\n"))
        #expect(!text.contains("\u{1B}"))
        let script = try TestBench()
        #expect(await script.run("jobs show busy --json", queue: queue) == .success)
        let decoded = try JSONSerialization.jsonObject(with: Data(script.output.text.utf8))
        let job = try #require(decoded as? [String: Any])
        #expect(job["why"] as? String == "a worker is busy with it")
        #expect(job["crashes"] as? Int == 0)
        #expect((job["spec"] as? [String: Any])?["retries"] as? Int == 3)
    }

    @Test(
        "says why a job waits",
        arguments: [
            (JobState.queued, nil, "waits for a worker to take it"),
            (.queued, "no room in the cache", "no room in the cache"),
            (.scheduled, nil, "starts again in 5 min"),
            (.scheduled, "a copy runs", "starts again in 5 min: a copy runs"),
            (.cached, nil, "the same work had been done before"),
        ] as [(JobState, String?, String)])
    func reasons(state: JobState, note: String?, reason: String) {
        var record = FakeQueue.record("a", state)
        record.runAt = 1_000_300
        record.note = note
        #expect(record.reason(now: 1_000_000) == reason)
    }

    @Test("says which worker a queued job lacks")
    func lacks() throws {
        var record = FakeQueue.record("a", .queued)
        (record.spec.queue, record.spec.tags) = ("films", ["gpu"])
        func worker(_ scope: ClaimScope, _ state: WorkerEntry.State = .working) -> WorkerEntry {
            WorkerEntry(
                id: WorkerID(rawValue: "w"), host: "h", process: 1, version: "1", state: state,
                lanes: 1, running: 0, scope: scope)
        }
        func why(_ workers: [WorkerEntry]?) -> String {
            let line = JobExplanation(record, workers: workers).lines(now: 0)
                .first { $0.hasPrefix("why") }
            return line.map { String($0.dropFirst(3)).trimmingCharacters(in: .whitespaces) } ?? ""
        }
        let fitting = ClaimScope(queues: ["films"], tags: ["gpu", "big"])
        let takes = "waits for a worker to take it"
        #expect(why(nil) == takes && why([worker(fitting)]) == takes)
        #expect(why([worker(ClaimScope(tags: ["gpu"]))]) == takes)
        #expect(why([]) == "waits for a worker: none runs ('takeup worker' starts one)")
        #expect(
            why([worker(ClaimScope()), worker(ClaimScope(queues: ["x"], tags: ["gpu"]))])
                == "waits for a worker with the queue films, the tag gpu; none that runs has that")
        #expect(
            why([worker(fitting, .paused)])
                == "waits for a worker: those that could take it are paused, or end")
        #expect(
            "\(record.detailedJSON(among: []))".contains(
                #""why":"waits for a worker: none runs""#))
        record.spec.key = "k"
        #expect(why([worker(fitting)]).contains("how many jobs of the key k run"))
    }

    @Test("cancel and retry say what came of each, and end with 66 for what is unknown")
    func changes() async throws {
        let queue = FakeQueue([FakeQueue.record("next", .queued), running, failed])
        let bench = try TestBench()
        #expect(
            await bench.run("jobs cancel next busy bad none next", queue: queue) == .inputMissing)
        #expect(
            bench.output.lines == [
                "next: cancelled", "busy: its worker was asked to stop",
                "bad: has ended before: failed",
            ])
        #expect(bench.diagnostics.text.contains("there is no job 'none'"))
        #expect(queue.state("next") == .cancelled)
        let again = try TestBench()
        #expect(await again.run("jobs retry bad busy --json", queue: queue) == .success)
        #expect(try array(again).compactMap { $0["state"] as? String } == ["queued", "running"])
        #expect(queue.state("bad") == .queued)
        let unknown = try TestBench()
        #expect(await unknown.run("jobs retry none --json", queue: queue) == .inputMissing)
        #expect(unknown.output.lines.count == 1)
        #expect(unknown.output.text.contains("\"notFound\""))
    }

    @Test("prune reads an age and tells a number")
    func prune() async throws {
        let queue = FakeQueue([])
        let bench = try TestBench()
        for line in ["jobs prune", "jobs prune --older-than 12h", "jobs prune --older-than 0"] {
            #expect(await bench.run(line, queue: queue) == .success)
        }
        #expect(queue.prunedSeconds == [604_800, 43_200, 0])
        #expect(bench.output.lines.first == "2 jobs forgotten")
        for age in ["never", "soon", "-1d"] {
            #expect(await bench.run("jobs prune --older-than=\(age)", queue: queue) == .usage)
        }
    }

    @Test("what is unknown or cannot be opened has its exit code")
    func failures() async throws {
        let bench = try TestBench()
        #expect(await bench.run("jobs show none", queue: FakeQueue([])) == .inputMissing)
        for option in [
            "--limit 0", "--since yesterday", "--since never", "--after 1-", "--after x",
        ] {
            #expect(await bench.run("jobs list \(option)", queue: FakeQueue([])) == .usage)
        }
        #expect(await bench.run("jobs list --state quued", queue: FakeQueue([])) == .usage)
        #expect(
            await bench.run("jobs list --database mysql://x", queue: FakeQueue([]))
                == .configuration)
        #expect(bench.diagnostics.text.contains("the database cannot be 'mysql:…'"))
    }
}
