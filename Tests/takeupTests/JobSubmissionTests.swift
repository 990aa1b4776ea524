import Foundation
import TakeupIntake
import TakeupJobs
import TakeupModel
import TakeupTimeline
import Testing

@testable import takeup

@Suite("Job submission")
struct JobSubmissionTests {
    private func job(_ name: String = "a", output: String? = nil) throws -> JobSpec {
        var job = SingleJob(sources: ["\(name).mov"], folder: "/in")
        job.output = output
        return try job.spec(BatchOptions())
    }

    @Test("the same work to another output gets an id of its own while the first waits")
    func apart() throws {
        let queue = try QueueBench()
        let (first, second) = (try job(output: "/x/a.mp4"), try job(output: "/y/a.mp4"))
        #expect(first.id == second.id)
        #expect(try queue.access.place([first]).map(\.answer) == [.accepted])
        let placed = try queue.access.place([try job("b"), second])
        #expect(placed.map(\.answer) == [.accepted, .accepted])
        let id = placed[1].spec.id
        #expect(id.rawValue.wholeMatch(of: /[0-9a-f]{16}-[0-9a-f]{8}/) != nil)
        #expect(id.rawValue.hasPrefix(first.id.rawValue))
        #expect(placed[1].spec.hasAutomaticID)
        #expect(try queue.store.job(id)?.spec.request.output == "/y/a.mp4")
        #expect(try queue.store.counts() == [.queued: 3])
    }

    @Test("asked again it is found under that id, whatever became of the first, at any priority")
    func stable() throws {
        let queue = try QueueBench()
        _ = try queue.access.place([try job(output: "/x/a.mp4")])
        let placed = try queue.access.place([try job(output: "/y/a.mp4")])
        var again = try job(output: "/y/a.mp4")
        (again.priority, again.retries) = (5, 0)
        let known = try queue.access.place([again])
        #expect(known.map(\.spec.id) == placed.map(\.spec.id))
        #expect(known.map(\.answer) == [.duplicate(.queued)])
        try queue.work()
        #expect(try queue.access.place([again]).map(\.answer) == [.duplicate(.queued)])
        try queue.work()
        let done = try queue.access.place([again])
        #expect(done.map(\.spec.id) == placed.map(\.spec.id))
        #expect(done.map(\.answer) == [.again])
    }

    @Test("a job that has ended keeps its record when another one of its key comes")
    func afterwards() throws {
        let queue = try QueueBench()
        let (first, second) = (try job(output: "/x/a.mp4"), try job(output: "/y/a.mp4"))
        _ = try queue.access.place([first])
        try queue.work()
        #expect(try queue.access.place([second]).map(\.answer) == [.accepted])
        #expect(try queue.store.job(first.id)?.state == .succeeded)
        #expect(try queue.access.place([first]) == [JobSubmission(spec: first, answer: .again)])
        _ = try queue.store.cancel(first.id)
        #expect(try queue.store.prune(olderThanSeconds: 0) == 1)
        #expect(try queue.access.place([second]).map(\.answer) == [.duplicate(.queued)])
    }

    @Test("outputs whose names differ in their Unicode form alone are two files")
    func unicode() throws {
        let queue = try QueueBench()
        let (first, second) = (try job(output: "/x/\u{e9}.mp4"), try job(output: "/x/e\u{301}.mp4"))
        #expect(first.request.output == second.request.output)
        _ = try queue.access.place([first])
        let placed = try queue.access.place([second])
        #expect(placed.map(\.answer) == [.accepted])
        #expect(placed[0].spec.id != first.id)
    }

    @Test("an export has the id that a queue would give the job")
    func sameAtEveryDoor() async throws {
        let queue = try QueueBench()
        try queue.bench.write("", to: "a.mov")
        for words in ["-o x.mp4", "-o x.m4a", "-o x.mp4 --start 1.50 --duration 0:02 --preset low"]
        {
            #expect(await queue.run("submit a.mov \(words) --json") == .success)
            // Nothing can be exported here; it is named before that.
            _ = await queue.bench.run("export a.mov \(words) --json")
        }
        let ids = try queue.values("job")
        let lines = queue.bench.output.lines
        #expect(lines.count { $0.contains("\"submitted\"") } == 3)
        #expect(lines.count { $0.contains("\"started\"") } == 3)
        #expect(Set(ids).count == 3)
    }

    @Test("an id that the user gave stays as it is, and is refused")
    func named() throws {
        let queue = try QueueBench()
        var (first, second) = (try job("a"), try job("b"))
        first.id = JobID(rawValue: "x")
        second.id = first.id
        #expect(!first.hasAutomaticID)
        _ = try queue.access.place([first])
        #expect(
            try queue.access.place([second]) == [JobSubmission(spec: second, answer: .conflict)])
    }

    @Test("an id is known as automatic after the queue has kept the job")
    func kept() throws {
        let queue = try QueueBench()
        var range = BatchOptions()
        range.settings.timeRange = .init(
            start: .init(value: 15, timescale: 10), duration: .init(value: 4, timescale: 8))
        let spec = try SingleJob(sources: ["a.mov", "b.mov"], folder: "/in").spec(range)
        _ = try queue.store.submit([spec])
        #expect(try queue.store.job(spec.id)?.spec.hasAutomaticID == true)
    }

    @Test("two batches over the same clips to two folders do not get in each other's way")
    func commands() async throws {
        let queue = try QueueBench()
        try FileManager.default.createDirectory(
            atPath: "\(queue.bench.folder)/clips", withIntermediateDirectories: false)
        try queue.bench.write("", to: "clips/a.mov")
        #expect(await queue.run("submit clips/a.mov -o one/a.mp4 --json") == .success)
        let code = await queue.run(
            "batch clips -o two --json", in: queue.context(worker: ScriptedWorker(queue.store)))
        #expect(code == .success)
        #expect(try queue.values("status") == ["succeeded"])
        #expect(await queue.run("submit clips/a.mov -o three/a.mp4 --json") == .success)
        #expect(try queue.values("acceptance") == ["accepted", "accepted"])
    }
}
