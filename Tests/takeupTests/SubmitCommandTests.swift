import Foundation
import TakeupJobs
import TakeupLanes
import TakeupModel
import TakeupTimeline
import Testing

@testable import takeup

@Suite("Submit command")
struct SubmitCommandTests {
    @Test("the job is in the queue as it was described, and its id stands alone on stdout")
    func submits() async throws {
        let queue = try QueueBench()
        let line = """
            submit a.mov /in/b.mov --id story-42 --preset 1280x720 --start 1.5 --duration 10 \
            -o out/x.mp4 --priority 7 --retries 0 --expires 7d --metadata title=Waves \
            --verify full --size-limit 25MB
            """
        #expect(await queue.run(line) == .success)
        #expect(queue.bench.output.text == "story-42\n")
        let spec = try #require(try queue.store.job(JobID(rawValue: "story-42"))?.spec)
        let folder = queue.bench.folder.split(separator: "/").joined(separator: "/")
        #expect(spec.request.sources == ["/\(folder)/a.mov", "/in/b.mov"])
        #expect(spec.request.output == "/\(folder)/out/x.mp4")
        #expect(spec.request.preset.name == "1280x720")
        #expect(spec.request.settings.timeRange?.start.seconds == 1.5)
        #expect(spec.request.settings.timeRange?.duration?.seconds == 10)
        #expect((spec.priority, spec.retries, spec.request.settings.verification) == (7, 0, .full))
        #expect(spec.expiresSeconds == 604_800)
        #expect(spec.request.settings.metadata == ["title": "Waves"])
        #expect(spec.request.settings.fileLengthLimit == 25_000_000)
    }

    @Test("the same job is not queued twice; another one of its id is refused")
    func duplicates() async throws {
        let queue = try QueueBench()
        try queue.bench.write("media", to: "a.mov")
        #expect(await queue.run("submit a.mov --json") == .success)
        #expect(await queue.run("submit a.mov --json") == .success)
        let lines = queue.bench.output.lines
        #expect(lines.count == 2)
        #expect(lines[0].hasSuffix(#""acceptance":"accepted"}"#))
        #expect(lines[1].hasSuffix(#""acceptance":"duplicate"}"#))
        #expect(queue.bench.diagnostics.text.contains("the same job is there already: queued"))
        #expect(try queue.store.counts() == [.queued: 1])
        #expect(await queue.run("submit a.mov --id x") == .success)
        #expect(await queue.run("submit b.mov --id x") == .usage)
        #expect(queue.bench.diagnostics.text.contains("a different job with the id 'x'"))
    }

    @Test("the same job for another queue or other tags: which it has is said")
    func otherQueue() async throws {
        let queue = try QueueBench()
        #expect(await queue.run("submit a.mov --queue one --tag gpu --tag big") == .success)
        #expect(await queue.run("submit a.mov --queue one --tag big --tag gpu") == .success)
        #expect(!queue.bench.diagnostics.text.contains("in queue"))
        #expect(await queue.run("submit a.mov --queue two") == .success)
        #expect(
            queue.bench.diagnostics.text.contains(
                "already: queued, in queue 'one' and with the tags big,gpu; it keeps them"))
        #expect(try queue.store.counts() == [.queued: 1])
        #expect(await queue.run("submit b.mov") == .success)
        #expect(await queue.run("submit b.mov --queue two") == .success)
        #expect(queue.bench.diagnostics.text.contains("in queue 'default' and without tags"))
    }

    @Test(
        "what cannot be a job is refused before the queue is opened",
        arguments: [
            ("submit https://u:p@example.com/a.mov", ExitCode.usage),
            ("submit a.mov --id a/b", .usage), ("submit a.mov -o out.avi", .usage),
            ("submit a.mov -o a.mov", .usage), ("submit a.mov --priority high", .usage),
            ("submit a.mov --retries 101", .usage), ("submit a.mov --expires soon", .usage),
            ("submit a.mov --start 5 --end 2", .usage), ("submit", .usage),
            ("submit a.mov --preset nope", .usage), ("submit a.mov --timeout 5m", .usage),
            ("submit a.mov --wait --timeout never", .usage),
            ("submit a.mov --wait --timeout 0", .usage),
        ])
    func refuses(line: String, code: ExitCode) async throws {
        let bench = try TestBench()
        #expect(await bench.run(line + " --home home --cache cache") == code)
        #expect(bench.output.text.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: "\(bench.folder)/home"))
    }

    @Test("a folder is refused with the command for it")
    func folder() async throws {
        let bench = try TestBench()
        #expect(await bench.run("submit . --home home --cache cache") == .usage)
        #expect(bench.diagnostics.text.contains("'takeup batch .' exports the files in it"))
    }

    @Test("wait follows the job to its end and tells it in the contract's lines")
    func waits() async throws {
        let queue = try QueueBench()
        try queue.bench.write("media", to: "a.mov")
        let steps = Locked(0)
        let lease = Locked<Lease?>(nil)
        let context = queue.context {
            let step = steps.withLock { step in
                step += 1
                return step
            }
            do {
                if step == 1 {
                    let claimed = try queue.store.claim(by: queue.worker, leaseSeconds: 30)
                    lease.withLock { $0 = claimed?.0 }
                }
                guard let lease = lease.withLock({ $0 }) else { return }
                let progress = JobProgress(phase: "encode", fraction: 0.5, speed: 2, etaSeconds: 5)
                _ = try queue.store.renew([Heartbeat(lease, progress: progress)], leaseSeconds: 30)
                if step == 2, let record = try queue.store.job(lease.job) {
                    _ = try queue.store.finish(lease, .succeeded(QueueBench.result(record.spec)))
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(await queue.run("submit a.mov --id s --wait --json", in: context) == .success)
        let types = queue.bench.output.lines.map { $0.split(separator: "\"")[3] }
        #expect(types == ["submitted", "started", "progress", "warning", "finished"])
        let last = try #require(queue.bench.output.lines.last)
        let folder = queue.bench.folder.split(separator: "/").joined(separator: "/")
        #expect(
            last == """
                {"type":"finished","job":"s",\
                "source":"/\(folder)/a.mov","status":"succeeded","output":"/cache/s.mp4",\
                "bytes":1200000,"duration":10,"frames":300,"sha256":"ab","seconds":2,\
                "warnings":[{"code":"trackSkipped","message":"audio 2 is left out"}],"error":null}
                """)
    }

    @Test("wait ends as a failed job says")
    func fails() async throws {
        let queue = try QueueBench()
        let context = queue.context {
            do {
                try queue.work { _ in .failed(QueueBench.fault, retryable: false) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(await queue.run("submit a.mov --wait", in: context) == .notMedia)
        #expect(queue.bench.diagnostics.text.contains("error: a.mov is cut short\n  copy it again"))
        #expect(await queue.run("submit a.mov --wait --json", in: context) == .notMedia)
        #expect(
            queue.bench.output.text.contains(
                #""error":{"code":"sourceTruncated","stage":"demux","message":"a.mov is cut short","#
            ))
    }

    @Test("wait says so, once, when no worker takes the job")
    func unattended() async throws {
        let queue = try QueueBench()
        let looks = Locked(0)
        let context = queue.context {
            let count = looks.withLock { count in
                count += 1
                return count
            }
            guard count == 40 else { return }
            do { try queue.work() } catch { Issue.record(error) }
        }
        #expect(await queue.run("submit a.mov --wait", in: context) == .success)
        let words = queue.bench.diagnostics.lines.filter { $0.contains("no worker has begun it") }
        #expect(words.count == 1)
    }

    @Test("a file that is not there now is told, and its job is queued; one that is there is not")
    func missing() async throws {
        let queue = try QueueBench()
        try queue.bench.write("x", to: "here.mov")
        #expect(await queue.run("submit here.mov gone.mov --id j") == .success)
        let text = queue.bench.diagnostics.text
        #expect(
            text.contains("warning: \(queue.bench.folder)/gone.mov cannot be found now (No such"))
        #expect(!text.contains("here.mov cannot"))
        #expect(try queue.store.job(JobID(rawValue: "j"))?.state == .queued)
        let quiet = try QueueBench()
        #expect(await quiet.run("submit later.mov --json --quiet") == .success)
        #expect(try quiet.values("code") == ["sourceMissing"])
        #expect(try quiet.values("type") == ["submitted", "warning"])
        #expect(quiet.bench.diagnostics.text.isEmpty)
    }

    @Test("wait ends with 75 when its time is over, says how to go on, and the job stays")
    func timeout() async throws {
        let queue = try QueueBench()
        #expect(await queue.run("submit a.mov --id s --wait --timeout 10m") == .temporary)
        #expect(
            queue.bench.diagnostics.text.hasSuffix(
                """
                error: the job 's' has not ended within 10 min: it is queued and stays in the queue
                  'takeup jobs show s' shows its progress; run the same command to wait again

                """))
        #expect(try queue.store.job(JobID(rawValue: "s"))?.state == .queued)
        let context = queue.context { do { try queue.work() } catch { Issue.record(error) } }
        #expect(
            await queue.run("submit a.mov --id s --wait --timeout 10m", in: context) == .success)
    }

    @Test("a signal ends the waiting and leaves the job in the queue")
    func interrupted() async throws {
        let queue = try QueueBench()
        var context = queue.context()
        let interrupts = context.interrupts
        context.pause = { _ in interrupts.deliver(2) }
        #expect(await queue.run("submit a.mov --id s --wait", in: context) == .interrupted)
        #expect(try queue.store.job(JobID(rawValue: "s"))?.state == .queued)
        #expect(queue.bench.diagnostics.text.contains("'s' stays in the queue (queued)"))
    }
}
