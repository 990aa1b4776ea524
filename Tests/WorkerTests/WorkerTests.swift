import Foundation
import TakeupCache
import TakeupDigest
import TakeupJobs
import TakeupModel
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

@Suite("Worker")
struct WorkerTests {
    @Test("does each job once, into the cache and to its output")
    func once() async throws {
        let trial = try WorkerTrial()
        let source = try Clip.base(seconds: 1).path
        let answers = try trial.store.submit([
            try trial.spec("a", [source], output: "out/sub/a.mp4"), try trial.spec("b", [source]),
            try trial.spec("c:.. é", [source, source]),
        ])
        #expect(answers == [.accepted, .accepted, .accepted])
        let jobs = try await trial.run(["a", "b", "c:.. é"])
        let (a, b) = (try #require(jobs["a"]), try #require(jobs["b"]))
        let c = try #require(jobs["c:.. é"])
        // a and b are the same work: one does it, the other is answered.
        #expect(Set([a.state, b.state]) == [.succeeded, .cached])
        #expect(c.state == .succeeded)
        #expect(a.result?.sha256 == b.result?.sha256)
        #expect(a.result?.output == trial.directory.file("out/sub/a.mp4"))
        #expect(try trial.objects().count == 2)
        for result in [a.result, b.result, c.result] {
            let path = try #require(result?.output)
            #expect(try MediaTools.decodeErrors(path) == [])
        }
        #expect(try trial.cache.lookup("c:.. é")?.entry.sha256 == c.result?.sha256)
    }

    @Test("joins more files than go along with one message")
    func manySources() async throws {
        let trial = try WorkerTrial()
        var sources: [String] = []
        // Some 10 ms of silence each.
        for number in 0..<256 {
            let data = 80 + number % 7
            var wave = Data("RIFF".utf8)
            for (text, size) in [("", 36 + data * 2), ("WAVEfmt ", 16)] {
                wave += Data(text.utf8)
                withUnsafeBytes(of: UInt32(size).littleEndian) { wave += Data($0) }
            }
            for half: UInt16 in [1, 1, 8000, 0, 16_000, 0, 2, 16] {
                withUnsafeBytes(of: half.littleEndian) { wave += Data($0) }
            }
            wave += Data("data".utf8)
            withUnsafeBytes(of: UInt32(data * 2).littleEndian) { wave += Data($0) }
            wave += Data(count: data * 2)
            sources.append(try trial.directory.write(wave, to: "in/\(number).wav"))
        }
        var spec = try trial.spec("many", sources)
        spec.request.preset = try ExportPreset.named("m4a")
        _ = try trial.store.submit([spec])
        let job = try #require(try await trial.run(["many"])["many"])
        #expect(job.state == .succeeded, "\(String(describing: job.fault))")
        let samples = (0..<256).reduce(0) { $0 + 80 + $1 % 7 }
        let duration = try #require(job.result?.duration)
        #expect(abs(duration - Double(samples) / 8000) < 0.15, "\(duration)")
    }

    @Test("answers from the cache the next time, and brings back an output that is gone")
    func again() async throws {
        let trial = try WorkerTrial()
        let spec = try trial.spec("a", [try Clip.base(seconds: 1).path], output: "a.mp4")
        _ = try trial.store.submit([spec])
        let first = try #require(try await trial.run(["a"])["a"])
        #expect(first.state == .succeeded)
        try FileManager.default.removeItem(atPath: trial.directory.file("a.mp4"))
        #expect(try trial.store.submit([spec]) == [.again])
        let second = try #require(try await trial.run(["a"])["a"])
        #expect(second.state == .cached)
        #expect(second.result?.output == trial.directory.file("a.mp4"))
        #expect(try MediaTools.decodeErrors(trial.directory.file("a.mp4")) == [])
    }

    @Test("never answers with a result that was changed where it lies")
    func tampered() async throws {
        let trial = try WorkerTrial()
        let source = try Clip.base(seconds: 1).path
        _ = try trial.store.submit([try trial.spec("a", [source])])
        let first = try #require(try await trial.run(["a"])["a"]?.result)
        let file = try #require(FileHandle(forUpdatingAtPath: first.output))
        try file.seek(toOffset: UInt64(first.bytes / 2))
        try file.write(contentsOf: Data("damage".utf8))
        try file.close()
        _ = try trial.store.submit([try trial.spec("b", [source], output: "b.mp4")])
        let second = try #require(try await trial.run(["b"])["b"])
        #expect(second.state == .succeeded)
        #expect(try MediaTools.decodeErrors(trial.directory.file("b.mp4")) == [])
        let written = try #require(second.result)
        let b = open(trial.directory.file("b.mp4"), O_RDONLY)
        defer { close(b) }
        #expect(try SHA256Digest.ofFile(b, isStopped: { false }) == written.sha256)
    }

    @Test("leaves alone what stands at an output's place")
    func occupied() async throws {
        let trial = try WorkerTrial()
        let path = try trial.directory.write(Data("mine".utf8), to: "a.mp4")
        _ = try trial.store.submit([
            try trial.spec("a", [try Clip.base(seconds: 1).path], output: "a.mp4")
        ])
        let job = try #require(try await trial.run(["a"])["a"])
        #expect(job.state == .failed && job.fault?.exitCode == .outputNotCreated)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test("says of an output below a file that this is no folder")
    func noFolder() async throws {
        let trial = try WorkerTrial()
        let file = try trial.directory.write(Data("mine".utf8), to: "file")
        let clip = try Clip.base(seconds: 1).path
        _ = try trial.store.submit([
            try trial.spec("a", [clip], output: "file/a.mp4"),
            try trial.spec("b", [clip], output: "file/deep/b.mp4"),
        ])
        let jobs = try await trial.run(["a", "b"])
        for id in ["a", "b"] {
            let fault = try #require(jobs[id]?.fault)
            #expect(
                fault.exitCode == .outputNotCreated && fault.message.contains("Not a directory"))
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    }

    @Test("a source that cannot be used fails its job alone, and is not tried again")
    func badSources() async throws {
        let trial = try WorkerTrial()
        let text = try trial.directory.write(Data("no media".utf8), to: "text.mp4")
        _ = try trial.store.submit([
            try trial.spec("missing", [trial.directory.file("nothing.mov")]),
            try trial.spec("text", [text]),
            try trial.spec("folder", [trial.directory.path]),
            try trial.spec("good", [try Clip.base(seconds: 1).path]),
        ])
        let jobs = try await trial.run(["missing", "text", "folder", "good"])
        #expect(jobs["missing"]?.fault?.exitCode == .inputMissing)
        #expect(jobs["text"]?.fault?.exitCode == .notMedia)
        #expect(jobs["folder"]?.state == .failed)
        #expect(jobs["good"]?.state == .succeeded)
        #expect(jobs.values.allSatisfy { $0.machine.failures <= 1 })
    }

    @Test("a job that crashes its helper is quarantined, among good ones that succeed")
    func poison() async throws {
        let trial = try WorkerTrial()
        let source = try Clip.base(seconds: 1).path
        var specs = [try trial.spec("bad", [source], fault: .segmentationFault)]
        for number in 0..<4 {
            var spec = try trial.spec("good-\(number)", [source])
            spec.request.settings.metadata["title"] = "\(number)"
            specs.append(spec)
        }
        _ = try trial.store.submit(specs)
        let jobs = try await trial.run(specs.map(\.id.rawValue))
        let bad = try #require(jobs["bad"])
        #expect(bad.state == .quarantined && bad.machine.crashes == 3)
        #expect(bad.fault?.code == "helperCrashed")
        #expect(jobs.values.filter { $0.state == .succeeded }.count == 4)
        let log = JobLogs.path(of: bad.id, in: trial.configuration.stateFolder)
        #expect(FileManager.default.fileExists(atPath: log))
    }

    @Test("stops a running job that is cancelled, and leaves nothing")
    func cancel() async throws {
        let trial = try WorkerTrial()
        let worker = try await trial.workerWithHangingJob("slow")
        let asked = WallClock.now()
        #expect(try trial.store.cancel(JobID(rawValue: "slow")) == .stopWorker)
        while try trial.store.job(JobID(rawValue: "slow"))?.state == .running {
            try await Task.sleep(for: .milliseconds(20))
        }
        let job = try #require(try trial.store.job(JobID(rawValue: "slow")))
        #expect(job.state == .cancelled)
        // By the worker's own clock: this task may wait for a thread among many tests.
        #expect(try #require(job.finishedAt) - asked < 5)
        worker.drain()
        await worker.finished()
        #expect(try trial.objects() == [])
    }

    @Test("gives running jobs back when it stops, with no attempt used up")
    func stop() async throws {
        let trial = try WorkerTrial()
        let worker = try await trial.workerWithHangingJob("slow")
        worker.stop()
        await worker.finished()
        let job = try #require(try trial.store.job(JobID(rawValue: "slow")))
        #expect(job.state == .queued && job.machine.interruptions == 1)
        #expect(job.machine.failures == 0 && job.machine.crashes == 0)
    }

    @Test("writes nothing any more once its lease is lost")
    func zombie() async throws {
        let trial = try WorkerTrial()
        let source = try Clip.base(seconds: 1).path
        _ = try trial.store.submit([try trial.spec("a", [source], output: "a.mp4")])
        let thief = WorkerID(rawValue: "elsewhere")
        let (late, record) = try #require(try trial.store.claim(by: thief, leaseSeconds: 0.001))
        try await Task.sleep(for: .milliseconds(5))
        #expect(try trial.store.rescue(deadWorkers: []).map(\.lease.job) == [late.job])
        let job = try #require(try await trial.run(["a"])["a"])
        #expect(job.state == .succeeded)
        let hold = LeaseHold(late, attempt: 1, leaseSeconds: 60, claimedAt: .now)
        let work = JobAttempt(record, hold, try trial.tools())
        #expect(throws: AttemptEnd.self) { try work.perform() }
        #expect(hold.stop == .leaseLost)
        #expect(try trial.store.finish(late, .cancelled) == nil)
        #expect(try trial.store.job(late.job)?.result == job.result)
    }
}

extension WorkerTrial {
    fileprivate func tools() throws -> WorkTools {
        WorkTools(
            store: store, cache: cache, configuration: configuration,
            helper: ExportHelper(configuration.helper), probing: HelperConfiguration(), threads: 1,
            logs: try JobLogs(stateFolder: configuration.stateFolder), emit: { _ in },
            noteOutage: { _ in }, noteObjects: { _ in })
    }
}
