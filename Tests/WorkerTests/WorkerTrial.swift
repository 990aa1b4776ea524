import Foundation
import TakeupCache
import TakeupExport
import TakeupJobs
import TakeupTelemetry
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

/// A queue, a cache and workers in a folder of their own.
final class WorkerTrial {
    let directory: TemporaryDirectory
    let store: SQLJobStore
    let cache: MediaCache
    var configuration: WorkerConfiguration

    init(limits: CacheLimits = CacheLimits(minFreeBytes: 0)) throws {
        directory = try TemporaryDirectory()
        let database = directory.file("state/takeup.sqlite")
        store = try SQLJobStore(
            path: database, retryPolicy: RetryPolicy(baseSeconds: 0.05, mostSeconds: 0.1))
        cache = try MediaCache(
            path: directory.file("cache"),
            manifest: try Manifest(path: database, now: WallClock.now), limits: limits)
        configuration = WorkerConfiguration(stateFolder: directory.file("state"), lanes: 2)
        configuration.helper.executable = try BuiltProduct.path(of: "takeup-media")
        configuration.helper.environment = [HelperCommand.faults: "1"]
        // A test may wait long for its turn among many; those about hanging exports set their own.
        configuration.helper.stallSeconds = 3600
        configuration.idleSeconds = 0.02
    }

    func worker(log: Log = .silent) throws -> Worker {
        try Worker(store: store, cache: cache, configuration: configuration, log: log)
    }

    func spec(
        _ id: String, _ sources: [String], output: String? = nil, fault: HelperFault? = nil
    ) throws -> JobSpec {
        var preset = try ExportPreset.named("640x480")
        preset.video?.speed = "ultrafast"
        var spec = JobSpec(
            id: JobID(rawValue: id),
            ExportRequest(
                Composition(joining: sources), preset: preset,
                output: output.map { directory.file($0) }))
        if let fault { spec.request.settings.metadata[HelperFault.key] = fault.text }
        return spec
    }

    /// A worker that has begun a job which never ends by itself.
    func workerWithHangingJob(_ id: String) async throws -> Worker {
        _ = try store.submit([try spec(id, [try Clip.base(seconds: 1).path], fault: .hang)])
        let worker = try worker()
        let events = worker.events(of: JobID(rawValue: id))
        worker.start()
        for await event in events {
            if case .started = event { break }
        }
        return worker
    }

    /// Runs a worker until these jobs have ended.
    func run(_ ids: [String], on worker: Worker? = nil) async throws -> [String: JobRecord] {
        let worker = try worker ?? self.worker()
        worker.start()
        return try await end(ids, of: worker)
    }

    /// Waits until these jobs have ended, then ends a worker that runs.
    func end(_ ids: [String], of worker: Worker) async throws -> [String: JobRecord] {
        let wanted = JobFilter(ids: ids.map(JobID.init(rawValue:)))
        let end = ContinuousClock.now + .seconds(900)
        while try store.jobs(wanted).contains(where: { !$0.state.isTerminal }) {
            try #require(ContinuousClock.now < end, "the jobs did not end")
            try await Task.sleep(for: .milliseconds(20))
        }
        worker.drain()
        await worker.finished()
        return Dictionary(
            uniqueKeysWithValues: try store.jobs(wanted).map { ($0.id.rawValue, $0) })
    }

    /// The names of all files below the cache's objects.
    func objects() throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(
            atPath: "\(cache.objects.path)/objects")
        return all.filter { $0.hasSuffix(".mp4") || $0.hasSuffix(".m4a") }
    }
}
