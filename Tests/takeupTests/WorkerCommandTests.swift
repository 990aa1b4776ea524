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
