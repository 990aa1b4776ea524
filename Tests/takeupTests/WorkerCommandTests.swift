import TakeupJobs
import TakeupLanes
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

    @Test("scripts get the contract's lines, and the log as objects")
    func json() async throws {
        let queue = try QueueBench()
        #expect(await queue.run("submit a.mov --id a -q") == .success)
        let before = queue.bench.output.lines.count
        let worker = ScriptedWorker(queue.store) { _ in
            .failed(QueueBench.fault, retryable: false)
        }
        let context = queue.context(worker: worker)
        #expect(await queue.run("worker --once --json --workers 2", in: context) == .success)
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
