import TakeupDaemon
import TakeupJobs
import TakeupLanes
import TakeupModel
import Testing

@testable import takeup

@Suite("Worker command")
struct WorkerCommandTests {
    @Test("once does what is queued and ends")
    func once() async throws {
        let queue = try QueueBench()
        for name in ["a", "b"] { #expect(await queue.run("submit \(name).mov") == .success) }
        let worker = ScriptedWorker(queue.store)
        #expect(await queue.run("worker --once", in: queue.context(worker: worker)) == .success)
        #expect(try queue.store.counts() == [.succeeded: 2])
        #expect(queue.bench.diagnostics.text.contains(" info: ready: "))
    }

    @Test(
        "once ends where all that is left is for others, and says what", .timeLimit(.minutes(5)),
        arguments: [
            ("--tag gpu --tag big", "", "1 in queue 'default', for big,gpu"),
            ("--queue qq", " --queues default", "1 in queue 'qq'"),
        ])
    func onceLeaves(submit: String, worker: String, words: String) async throws {
        let queue = try QueueBench()
        #expect(await queue.run("submit a.mov") == .success)
        #expect(await queue.run("submit c.mov \(submit)") == .success)
        // As one that takes no job of another queue.
        let (lease, record) = try #require(
            try queue.store.claim(
                by: queue.worker, leaseSeconds: 30, in: ClaimScope(queues: ["default"])))
        _ = try queue.store.finish(lease, .succeeded(QueueBench.result(record.spec)))
        let none = ScriptedWorker(try SQLJobStore(path: "\(queue.bench.folder)/none.sqlite"))
        let context = queue.context(worker: none)
        #expect(await queue.run("worker --once\(worker)", in: context) == .success)
        #expect(queue.bench.diagnostics.text.contains(words), "\(queue.bench.diagnostics.text)")
        #expect(try queue.store.counts() == [.succeeded: 1, .queued: 1])
    }

    @Test("once does not wait for jobs that the worker leaves to others", .timeLimit(.minutes(5)))
    func onceLeft() async throws {
        let queue = try QueueBench()
        #expect(await queue.run("submit a.mov --id big") == .success)
        let none = ScriptedWorker(try SQLJobStore(path: "\(queue.bench.folder)/none.sqlite"))
        var context = queue.context()
        context.openWorker = { _, _, _ in
            var access = none.access
            access.leftJobs = { [JobID(rawValue: "big"), JobID(rawValue: "ended")] }
            return access
        }
        #expect(await queue.run("worker --once", in: context) == .success)
        #expect(try queue.store.counts() == [.queued: 1])
    }

    @Test(
        "once ends with 3 when a job failed, even a quiet one, and not for one that was cancelled")
    func onceFails() async throws {
        let queue = try QueueBench()
        for name in ["a", "b"] {
            #expect(await queue.run("submit \(name).mov --id \(name)") == .success)
        }
        let worker = ScriptedWorker(queue.store) { spec in
            spec.id.rawValue == "a"
                ? .failed(QueueBench.fault, retryable: false)
                : .succeeded(QueueBench.result(spec))
        }
        #expect(
            await queue.run("worker --once --quiet", in: queue.context(worker: worker))
                == .someFailed)
        #expect(try queue.store.counts() == [.failed: 1, .succeeded: 1])
        #expect(await queue.run("submit c.mov") == .success)
        let canceller = ScriptedWorker(queue.store) { [store = queue.store] spec in
            #expect(throws: Never.self) { try store.cancel(spec.id) }
            return .cancelled
        }
        #expect(await queue.run("worker --once", in: queue.context(worker: canceller)) == .success)
    }

    @Test("a terminal shows a line a lane with the file's name, which is gone at the end")
    func terminal() async throws {
        let queue = try QueueBench()
        #expect(await queue.run("submit clip.mov -q") == .success)
        var context = queue.context(worker: ScriptedWorker(queue.store))
        context.terminal.diagnosticsIsTerminal = true
        #expect(await queue.run("worker --once", in: context) == .success)
        let text = queue.bench.diagnostics.text
        #expect(text.contains("   50 %  encode   2.0×              clip.mov\u{1B}[K"))
        #expect(text.hasSuffix("info: ended\n"))
        #expect(await queue.run("submit other.mov -q") == .success)
        context = queue.context(worker: ScriptedWorker(queue.store))
        context.terminal.diagnosticsIsTerminal = true
        #expect(await queue.run("worker --once --json", in: context) == .success)
        #expect(!queue.bench.diagnostics.text.contains("other.mov\u{1B}"))
        let plain = try QueueBench()
        #expect(await plain.run("submit clip.mov -q") == .success)
        let worker = ScriptedWorker(plain.store)
        #expect(await plain.run("worker --once", in: plain.context(worker: worker)) == .success)
        #expect(!plain.bench.diagnostics.text.contains("\u{1B}"))
    }

    @Test("scripts get the contract's lines, and the log as objects")
    func json() async throws {
        let queue = try QueueBench()
        #expect(await queue.run("submit a.mov --id a -q") == .success)
        let before = queue.bench.output.lines.count
        let worker = ScriptedWorker(queue.store) { _ in
            .failed(QueueBench.fault, retryable: false)
        }
        let context = queue.context(worker: worker)
        #expect(await queue.run("worker --once --json --workers 2", in: context) == .someFailed)
        let types = queue.bench.output.lines.dropFirst(before).map { $0.split(separator: "\"")[3] }
        #expect(types == ["log", "started", "progress", "finished", "log"])
        #expect(queue.bench.output.text.contains(#""status":"failed""#))
    }

    @Test(
        "a signal drains and gives the exit code",
        arguments: [(2, 130), (15, 143)] as [(Int32, Int32)])
    func signals(signal: Int32, code: Int32) async throws {
        let queue = try QueueBench()
        for name in ["a", "b"] { #expect(await queue.run("submit \(name).mov") == .success) }
        let worker = ScriptedWorker(queue.store, holds: true)
        let context = queue.context(worker: worker)
        let delivery = Task {
            while worker.begun.withLock({ $0.isEmpty }) { await Task.yield() }
            context.interrupts.deliver(signal)
        }
        #expect(await queue.run("worker", in: context).rawValue == code)
        await delivery.value
        #expect(try queue.store.counts() == [.succeeded: 1, .queued: 1])
        #expect(queue.bench.diagnostics.text.contains("a second signal gives them back"))
    }
}
