import Foundation
import TakeupBucket
import TakeupCache
import TakeupJobs
import TakeupLanes
import TakeupS3
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupWorker

/// Jobs whose results belong into a bucket of a server that is away for longer than an upload tries.
@Suite("A bucket that is away", .enabled(if: S3Server.missing == nil, "there is no rclone"))
struct BucketOutageTests {
    /// A worker in front of a server that answers no upload of a result for so many requests.
    private final class Bench {
        let trial: WorkerTrial
        let server: S3Server
        let refusals: Locked<Int>
        let cache: MediaCache
        private let proxy: FaultProxy

        convenience init(refusing most: Int) throws {
            try self.init { $0 < most ? .answer(503) : nil }
        }

        /// Asks what becomes of an upload, by how many were refused before it.
        init(_ rule: @escaping @Sendable (Int) -> FaultProxy.Fault?) throws {
            trial = try WorkerTrial()
            server = try S3Server(folder: trial.directory.file("buckets"))
            let refusals = Locked(0)
            self.refusals = refusals
            proxy = try FaultProxy(to: server.port) { request in
                guard request.method == "PUT", request.target.contains("/objects/") else {
                    return nil
                }
                let fault = rule(refusals.withLock { $0 })
                if fault != nil { refusals.withLock { $0 += 1 } }
                return fault
            }
            let settings = try S3Settings(
                environment: S3Server.environment(port: proxy.port)
            ) { _ in nil }
            let manifest = try Manifest(
                path: trial.directory.file("state/takeup.sqlite"), now: WallClock.now)
            let objects = try S3Objects(
                S3Client(settings, pause: { _ in }), try #require(S3Address("s3://films/takeup")),
                folder: trial.directory.file("bucket-cache"), manifest: manifest, adopting: true)
            cache = MediaCache(
                objects: objects, manifest: manifest, limits: CacheLimits(minFreeBytes: 0))
        }

        /// Runs one job to its end, and gives it with every end of its attempts.
        func run() async throws -> (job: JobRecord, ends: [JobRecord]) {
            let worker = try Worker(
                store: trial.store, cache: cache, configuration: trial.configuration, log: .silent)
            let spec = try trial.spec("a", [try Clip.base(seconds: 1).path])
            _ = try trial.store.submit([spec])
            let events = worker.events(of: spec.id)
            let job = try #require(try await trial.run(["a"], on: worker)["a"])
            var ends: [JobRecord] = []
            for await case .ended(let record) in events { ends.append(record) }
            return (job, ends)
        }

        /// Whether the bucket has the job's result and nothing else.
        func holds(_ job: JobRecord) throws -> Bool {
            let keys = server.keys("takeup/objects/")
            let sum = try Subprocess.run("sha256sum", keys.map { server.file($0) }).outputText
            let result = try #require(job.result)
            return keys.count == 1 && sum.prefix(64) == result.sha256
        }
    }

    /// Requests of one upload: each is tried so often.
    private static let tries = S3Backoff().tries

    @Test("costs no second export: the finished file is kept and uploaded when the server is back")
    func keeps() async throws {
        let bench = try Bench(refusing: 2 * Self.tries + 1)
        let (job, ends) = try await bench.run()
        #expect(bench.refusals.withLock { $0 } == 2 * Self.tries + 1)
        #expect(job.state == .succeeded && job.token == 1, "\(job)")
        #expect(job.machine.failures == 0 && job.machine.interruptions == 0)
        #expect(ends.count == 1)
        #expect(try bench.holds(job))
    }

    @Test("gives the job back in the end, without a failure; it is done when the server is back")
    func returns() async throws {
        let bench = try Bench(refusing: 2 * Self.tries)
        bench.trial.configuration.objectsOutage = .zero
        let (job, ends) = try await bench.run()
        #expect(ends.map(\.state) == [.scheduled, .scheduled, .succeeded])
        for end in ends.dropLast() {
            #expect(end.note?.hasPrefix("waits for the object store: ") == true, "\(end)")
        }
        #expect(job.token == 3 && job.machine.failures == 0 && job.fault == nil, "\(job)")
        #expect(try bench.holds(job))
        #expect(try bench.cache.manifest.entries().count == 1)
    }

    @Test("keeps nobody who cancels: an upload that hangs ends, and is not tried again")
    func cancelled() async throws {
        let (hangs, isOver) = (Locked(false), Locked(false))
        let bench = try Bench { _ in
            hangs.withLock { $0 = true }
            while !isOver.withLock({ $0 }) { usleep(10_000) }
            return .answer(503)
        }
        defer { isOver.withLock { $0 = true } }
        let store = bench.trial.store
        let cancelling = Task {
            while !hangs.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
            _ = try store.cancel(JobID(rawValue: "a"))
        }
        let (job, _) = try await bench.run()
        try await cancelling.value
        #expect(job.state == .cancelled, "\(job)")
        #expect(bench.refusals.withLock { $0 } == 0)
        #expect(bench.server.keys("takeup/objects/").isEmpty)
    }
}
