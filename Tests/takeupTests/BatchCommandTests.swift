import Foundation
import TakeupExport
import TakeupJobs
import TakeupLanes
import TakeupModel
import Testing

@testable import TakeupDaemon
@testable import takeup

@Suite("Batch command")
struct BatchCommandTests {
    private static let list = """
        [{"id": "a", "source": "a.mov"}, {"id": "b", "source": "b.mov"},
         {"id": "c", "source": "c.mov"}]
        """

    private func filled() throws -> QueueBench {
        let queue = try QueueBench()
        try queue.bench.write(Self.list, to: "list.json")
        return queue
    }

    @Test("every job ends once, the summary is last, and some failures end it with 3")
    func lines() async throws {
        let queue = try filled()
        let worker = ScriptedWorker(queue.store) { spec in
            switch spec.id.rawValue {
            case "a": .succeeded(QueueBench.result(spec))
            case "b": .cached(QueueBench.result(spec))
            default: .failed(QueueBench.fault, retryable: false)
            }
        }
        let code = await queue.run("batch list.json --json", in: queue.context(worker: worker))
        #expect(code == .someFailed)
        #expect(
            try queue.values("type") == [
                "started", "progress", "warning", "finished", "started", "progress", "warning",
                "finished", "started", "progress", "finished", "summary",
            ])
        #expect(try queue.values("status") == ["succeeded", "cached", "failed"])
        let last = try #require(queue.bench.output.lines.last)
        #expect(last.hasPrefix(#"{"type":"summary","succeeded":1,"cached":1,"failed":1,"#))
        #expect(queue.bench.diagnostics.text.contains("error: c (c.mov): a.mov is cut short\n"))
        #expect(!queue.bench.diagnostics.text.contains("\u{1B}"))
    }

    @Test("files, a pattern and standard input are one batch; what is missing is an error of 66")
    func inputs() async throws {
        let queue = try filled()
        for name in ["x.mov", "y.mov", "z.mkv"] { try queue.bench.write("", to: name) }
        var context = queue.context(worker: ScriptedWorker(queue.store))
        context.readInput = { Array("# from a pipe\nz.mkv\nx.mov\n".utf8) }
        #expect(await queue.run("batch x.mov *.mov - - list.json --json", in: context) == .success)
        let folder = queue.bench.folder.split(separator: "/").joined(separator: "/")
        #expect(
            Set(try queue.values("source"))
                == Set(
                    ["x.mov", "y.mov", "z.mkv", "a.mov", "b.mov", "c.mov"].map {
                        "/\(folder)/\($0)"
                    }))
        #expect(try queue.values("status").count == 6)
        for line in ["batch x.mov *.webm", "batch x.mov none.mov"] {
            #expect(await queue.run(line) == .inputMissing)
        }
        #expect(queue.bench.diagnostics.text.contains("error: nothing matches '*.webm'\n"))
        #expect(queue.bench.diagnostics.text.contains("none.mov\n  check its name\n"))
        #expect(await queue.run("batch x.mov --null") == .usage)
        #expect(try queue.store.counts() == [.succeeded: 6])
    }

    @Test("jobs that another process does are followed to their ends all the same")
    func elsewhere() async throws {
        let queue = try filled()
        let worker = ScriptedWorker(queue.store, isSilent: true)
        let code = await queue.run("batch list.json --json", in: queue.context(worker: worker))
        #expect(code == .success)
        #expect(try queue.values("status") == ["succeeded", "succeeded", "succeeded"])
        #expect(try queue.values("type").filter { $0 == "started" }.count == 3)
    }

    @Test("what is in the queue already is followed, another job of the same id is a failure")
    func known() async throws {
        let queue = try filled()
        #expect(await queue.run("submit b.mov --id b") == .success)
        #expect(await queue.run("submit other.mov --id c") == .success)
        let worker = ScriptedWorker(queue.store)
        let code = await queue.run("batch list.json", in: queue.context(worker: worker))
        #expect(code == .someFailed)
        let text = queue.bench.diagnostics.text
        #expect(text.contains("2 jobs, 1 of them known already, 1 refused"))
        #expect(text.contains("c (c.mov): a different job with the id 'c' waits or runs"))
        #expect(queue.bench.output.text.contains("succeeded  2\nfailed     1\n"))
        let again = await queue.run(
            "batch list.json", in: queue.context(worker: ScriptedWorker(queue.store)))
        #expect(again == .success)
    }

    @Test("the first signal lets the running job end and leaves the rest queued")
    func drains() async throws {
        let queue = try filled()
        let worker = ScriptedWorker(queue.store, holds: true)
        let interrupts = Locked<Interrupts?>(nil)
        let context = queue.context(worker: worker) {
            guard worker.begun.withLock({ !$0.isEmpty }) else { return }
            interrupts.withLock { $0.take() }?.deliver(2)
        }
        interrupts.withLock { $0 = context.interrupts }
        #expect(await queue.run("batch list.json --json", in: context) == .interrupted)
        #expect(try queue.store.counts() == [.succeeded: 1, .queued: 2])
        #expect(try queue.values("type").last == "summary")
        #expect(queue.bench.diagnostics.text.contains("press Ctrl-C again to stop them"))
        #expect(queue.bench.diagnostics.text.contains("2 jobs stay in the queue"))
        let next = queue.context(worker: ScriptedWorker(queue.store))
        #expect(await queue.run("batch list.json", in: next) == .success)
    }

    @Test("the second signal gives the running job back, without an attempt used up")
    func stops() async throws {
        let queue = try filled()
        let worker = ScriptedWorker(queue.store, holds: true)
        let interrupts = Locked<Interrupts?>(nil)
        let context = queue.context(worker: worker) {
            guard worker.begun.withLock({ !$0.isEmpty }) else { return }
            let taken = interrupts.withLock { $0.take() }
            // At once, so that the drain finds no time to end the job.
            worker.access.stop()
            taken?.deliver(15)
            taken?.deliver(15)
        }
        interrupts.withLock { $0 = context.interrupts }
        #expect(await queue.run("batch list.json", in: context) == .terminated)
        #expect(try queue.store.counts() == [.queued: 3])
        #expect(try queue.store.job(JobID(rawValue: "a"))?.machine.failures == 0)
        #expect(queue.bench.left.withLock { $0 }.isEmpty)
        #expect(queue.bench.output.text.contains("left  3\n"))
    }

    @Test(
        "a list that is no good starts nothing and has its exit code",
        arguments: [
            ("batch none.json", ExitCode.inputMissing), ("batch list.txt x.otio", .inputMissing),
            ("batch bad.json", .usage), ("batch list.json --preset nope", .usage),
            ("batch list.json --workers 65", .usage), ("batch list.json --lease 0.5s", .usage),
            ("batch", .usage),
        ])
    func refuses(line: String, code: ExitCode) async throws {
        let bench = try TestBench()
        try bench.write(Self.list, to: "list.json")
        try bench.write("x", to: "list.txt")
        try bench.write(#"[{"source": 1},\#n {"sorce": "a"}]"#, to: "bad.json")
        #expect(await bench.run(line + " --home home --cache cache") == code)
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/home"))
        guard line.hasPrefix("batch bad") else { return }
        let text = bench.diagnostics.text
        #expect(text.contains("bad.json: line 1, source: needs a path"))
        #expect(
            text.contains("bad.json: line 2: there is no field 'sorce'; did you mean 'source'?"))
        #expect(text.contains("bad.json has 3 faults"))
    }

    @Test("what a folder holds besides media is told by reason, and by name on demand")
    func passesOver() async throws {
        let bench = try TestBench()
        try FileManager.default.createDirectory(
            atPath: "\(bench.folder)/clips/sub", withIntermediateDirectories: true)
        for name in ["a", "b", "c", "d", "e", "sub/f"] {
            try bench.write("", to: "clips/\(name).h264")
        }
        for name in ["a.txt", "b.jpg", ".DS_Store"] { try bench.write("", to: "clips/\(name)") }
        let line = "batch clips --home home --cache cache --dry-run"
        #expect(await bench.run(line) == .success)
        #expect(
            bench.diagnostics.lines == [
                "takeup: warning: passed over 6 (not a media suffix):"
                    + " a.h264, b.h264, c.h264, d.h264, e.h264 and 1 more, which --verbose names",
                "takeup: passed over 1 (hidden)", "takeup: passed over 2 (no media)",
            ])
        let verbose = try TestBench()
        try verbose.write("", to: "x.txt")
        #expect(
            await verbose.run("batch . --home home --cache cache --dry-run --verbose") == .success)
        #expect(verbose.diagnostics.text == "takeup: passed over x.txt: no media\n")
    }

    @Test("every fault of a list is a line for scripts, and the list's error the last one")
    func faults() async throws {
        let bench = try TestBench()
        try bench.write("source,verify\n\"a,\"b\n,no\n", to: "bad.csv")
        #expect(await bench.run("batch bad.csv --json --home home --cache cache") == .usage)
        let lines = bench.output.lines
        #expect(lines.count == 4)
        #expect(
            lines[0] == #"""
                {"type":"error","error":{"code":"listFault","stage":"request",\#
                "message":"text follows a closing quote","hint":"double the quotes inside a cell"},\#
                "line":2,"column":1,"field":null}
                """#)
        #expect(lines[2].hasSuffix(#""line":3,"column":2,"field":"verify"}"#))
        #expect(lines[3].hasPrefix(#"{"type":"error","error":{"code":"listInvalid","#))
    }

    @Test("an empty folder is nothing to do, and makes nothing")
    func empty() async throws {
        let bench = try TestBench()
        try FileManager.default.createDirectory(
            atPath: "\(bench.folder)/clips", withIntermediateDirectories: false)
        #expect(await bench.run("batch clips --json --home home --cache cache") == .success)
        #expect(bench.output.text.contains(#""succeeded":0,"cached":0,"failed":0,"cancelled":0"#))
        #expect(bench.diagnostics.text == "takeup: there is no job in it: nothing to do\n")
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/home"))
    }

    @Test("a dry run says what each job would do and makes no database")
    func previews() async throws {
        let bench = try TestBench()
        try bench.write(Self.list, to: "list.json")
        let session = ScriptedSession(result: nil)
        let line = "batch list.json --dry-run --home home --cache cache"
        #expect(await bench.run(line, engine: session.engine) == .success)
        #expect(bench.output.lines.first == "a (a.mov): would export to the cache alone")
        #expect(bench.output.text.contains("  video     copy h264: it meets every limit\n"))
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/home"))
        let failing = ScriptedSession(result: nil, refusal: .inputMissing("a.mov"))
        #expect(await bench.run("\(line) --json", engine: failing.engine) == .someFailed)
        #expect(bench.output.text.contains(#""would":"fail","output":null,"error":{"code":"#))
    }

    @Test("a dry run knows what was done and what is being done")
    func previewsKnown() async throws {
        let queue = try filled()
        for name in ["a", "b", "c"] { try queue.bench.write(name, to: "\(name).mov") }
        let result = try queue.bench.write("abc", to: "a.mp4")
        #expect(await queue.run("submit a.mov --id a --json") == .success)
        try queue.work { spec in
            var made = QueueBench.result(spec)
            (made.output, made.bytes) = (result, 3)
            return .succeeded(made)
        }
        #expect(await queue.run("submit b.mov --id b --json") == .success)
        var context = queue.context()
        context.engine = ScriptedSession(result: nil).engine
        #expect(await queue.run("batch list.json --dry-run --json", in: context) == .success)
        #expect(try queue.values("would") == ["cached", "queued", "export"])
    }
}
