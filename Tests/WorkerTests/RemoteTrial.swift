import Foundation
import TakeupCache
import TakeupFetch
import TakeupJobs
import TestSupport
import Testing

@testable import TakeupMedia
@testable import TakeupMediaClient
@testable import TakeupWorker

/// A worker's trial beside an origin from which it may fetch.
final class RemoteTrial {
    let origin: TestOrigin
    let trial: WorkerTrial

    init(_ change: (inout FetchSettings) -> Void = { _ in }) throws {
        origin = try TestOrigin()
        trial = try WorkerTrial()
        trial.configuration.sources = try Self.library(
            beside: trial.cache.objects.path, change)
    }

    deinit { origin.stop() }

    static func library(
        beside folder: String, _ change: (inout FetchSettings) -> Void = { _ in }
    ) throws -> SourceLibrary {
        let loopback = try #require(NetworkPrefix("127.0.0.0/8"))
        var settings = FetchSettings(
            addressPolicy: AddressPolicy(
                permitted: [loopback], ports: nil, permitsPlainHTTP: true))
        settings.freshSeconds = 0
        settings.retry = OriginRetryPolicy(firstSeconds: 0.01, longestSeconds: 0.05)
        change(&settings)
        return SourceLibrary(
            store: try SourceStore(cacheFolder: folder, clock: WallClock.now), settings: settings)
    }

    /// A clip whose index lies behind its pictures.
    static func clip(seconds: Int = 2) throws -> [UInt8] {
        Array(try Clip.base(seconds: seconds).bytes())
    }

    /// Serves a clip.
    ///
    /// - Returns: Its address, with a secret.
    func serve(
        _ path: String, _ bytes: [UInt8], _ change: (inout OriginObject) -> Void = { _ in }
    ) -> String {
        var object = OriginObject(.bytes(bytes))
        change(&object)
        origin.serve(path, object)
        return origin.url("\(path)?key=secret")
    }

    /// Does one job of each source.
    func run(_ jobs: [String: [String]], on worker: Worker? = nil) async throws
        -> [String: JobRecord]
    {
        _ = try trial.store.submit(
            try jobs.sorted { $0.key < $1.key }.map { id, sources in
                try trial.spec(id, sources, output: "\(id).mp4")
            })
        return try await trial.run(Array(jobs.keys), on: worker)
    }

    func run(_ id: String, _ source: String) async throws -> JobRecord {
        try #require(try await run([id: [source]])[id])
    }

    /// What an export of the same bytes from a file looks like.
    func frames(ofLocal bytes: [UInt8]) async throws -> [FrameHash] {
        let path = try trial.directory.write(Data(bytes), to: "local-\(UUID().uuidString).mp4")
        let job = try await run("local-\(UUID().uuidString)", path)
        return try MediaTools.frameHashes(try #require(job.result?.output))
    }

    func frames(of job: JobRecord) throws -> [FrameHash] {
        try MediaTools.frameHashes(try #require(job.result?.output, "\(job.fault as Any)"))
    }
}
