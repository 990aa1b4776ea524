internal import Foundation
public import TakeupCache
internal import TakeupCurl
internal import TakeupFiles
internal import TakeupModel
internal import TakeupS3
public import TakeupJobs
internal import TakeupLanes
public import TakeupTelemetry
public import TakeupWorker

/// A durable queue, its cache and a worker, for a program that embeds them.
///
/// May be used from any task; nothing here blocks one.
public final class ExportQueue: Sendable {
    /// Seconds between two looks at a job that is waited for: another process may be doing it.
    private static let pollInterval = Duration.milliseconds(100)

    public let cache: MediaCache
    private let store: SQLJobStore
    private let worker: Worker
    private let lane = Lane("takeup.queue")
    private let isShutDown = Locked(false)

    /// Opens the queue and the cache, repairs what a crash left, and starts the worker.
    ///
    /// - Parameters:
    ///   - cacheFolder: Made where there is none; it belongs to this queue's database.
    ///   - configuration: A program that is not `takeup` has to say where that is
    ///     (`helper.executable`): foreign bytes are decoded there, never in this process.
    ///   - database: The queue and the manifest; nil is an SQLite file in the configuration's state folder.
    ///   - limits: What the cache may grow to.
    ///   - log: Where the worker's lines go.
    ///   - adopting: Takes the cache folder as it is, also where it is not the one of this queue's database: results
    ///     that are not in it are forgotten.
    /// - Throws: `WorkerError`; `.cache` with `CacheError.notKnown` for a folder that is not there, empty or another one
    ///   than the database's results are in.
    public init(
        cacheFolder: String, configuration: WorkerConfiguration, database: DatabaseAddress? = nil,
        limits: CacheLimits = CacheLimits(),
        log: Log = .silent, adopting: Bool = false
    ) async throws {
        var places = StatePlaces(
            home: configuration.stateFolder, cache: cacheFolder, database: database)
        places.adoptsCache = adopting
        (store, cache, worker) = try await lane.run { [places] () throws(WorkerError) in
            try places.openStores(configuration, limits: limits, log: log)
        }
        worker.start()
    }

    /// Accepts a job; when this returns, it survives a kill and a restart.
    ///
    /// - Parameter spec: One whose id was made from what it does (`automaticID`) gets another one where a different job
    ///   has that: one that differs in its output, say.
    /// - Returns: The job under its id, and whether it was there already.
    /// - Throws: `Failure` for a job that no queue takes, for an id that a different job has which waits or runs, and
    ///   after `shutDown`; `JobStoreError`.
    public func enqueue(_ spec: JobSpec) async throws -> JobSubmission {
        guard !isShutDown.withLock({ $0 }) else { throw Failure.shutDown }
        let placed = try await lane.run { [store] in try store.place([spec])[0] }
        if let fault = placed.fault { throw fault }
        return placed
    }

    /// Accepts a job for one source, under a preset's name.
    ///
    /// - Parameters:
    ///   - source: A path, or an http or https address.
    ///   - preset: A shipped preset's name, or a file's path.
    ///   - id: Nil makes one from what the job does.
    ///   - output: A file or an object that ends in `.mp4`, `.m4v` or `.m4a`; nil leaves the result in the cache alone.
    /// - Returns: The job's id: `id`, or a key of source, preset and, where that is taken, output.
    /// - Throws: `PresetError` for an unknown preset, and what `enqueue(_:)` throws.
    public func enqueue(
        _ source: String, preset: String, id: String? = nil, output: String? = nil
    ) async throws -> JobID {
        let found = try ExportPreset.resolve(preset)
        let output = try output.map {
            try Folder.endsInSlash($0) || SourceText.isObject($0) ? $0 : Self.absolute($0)
        }
        var spec = JobSpec(
            id: JobID(rawValue: id ?? ""),
            ExportRequest(
                Composition(joining: [try Self.place(source)]), preset: found, output: output))
        if id == nil { spec.id = spec.automaticID }
        return try await enqueue(spec).id
    }

    private static func place(_ source: String) throws(Failure) -> String {
        guard SourceText.isAddress(source) else { return try absolute(source) }
        if S3Address.isMeant(by: source) {
            guard let object = S3Address(source), !object.key.isEmpty else {
                throw .badAddress("it names no object")
            }
            return object.description
        }
        do throws(CurlError) {
            return try WebAddress(source).text
        } catch {
            throw .badAddress(error.reason)
        }
    }

    /// Another process may do the job, from another folder.
    private static func absolute(_ path: String) throws(Failure) -> String {
        guard !path.isEmpty else { throw .emptyPath }
        return SourceText.absolute(path, from: FileManager.default.currentDirectoryPath)
    }

    /// What happens to one job in this process from now on.
    public func events(of job: JobID) -> AsyncStream<WorkerEvent> { worker.events(of: job) }

    /// Everything that happens in this process from now on.
    public func events() -> AsyncStream<WorkerEvent> { worker.events() }

    /// How far a job has come, from now until its end; the last is 1 when it is done.
    ///
    /// It may be asked for before the job is enqueued: nothing is missed then, and it waits for a job that is not
    /// there. An id that has ended before has its end already: enqueue it again first.
    public func progress(of job: JobID) -> AsyncStream<JobProgress> {
        let events = worker.events(of: job)
        return AsyncStream { continuation in
            let watching = Task {
                for await event in events {
                    if case .progress(_, let progress) = event { continuation.yield(progress) }
                }
                continuation.finish()
            }
            // The end may have come before, or come in another process.
            let waiting = Task {
                if let end = try? await self.ending(of: job, isPatient: true), end.state.isDone {
                    continuation.yield(JobProgress(phase: "finish", fraction: 1))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                watching.cancel()
                waiting.cancel()
            }
        }
    }

    /// Waits for a job's end; nil for one that is not known.
    private func ending(of job: JobID, isPatient: Bool) async throws -> JobRecord? {
        while true {
            let record = try await self.job(job)
            if record == nil, !isPatient { return nil }
            if record?.state.isTerminal == true {
                // On a lane of its own: a server may wait for its standby.
                let ended = try await Lane("takeup.queue.end").run { [store] in
                    try store.confirmed(JobFilter(ids: [job])).first
                }
                if let ended, ended.state.isTerminal { return ended }
            }
            try await Task.sleep(for: Self.pollInterval)
        }
    }

    /// Waits for a job's end, whichever process brings it about.
    ///
    /// - Throws: `Failure` for a job that failed, was cancelled or is not known; `CancellationError` when the waiting
    ///   task is cancelled, which leaves the job alone.
    public func result(of job: JobID) async throws -> JobResult {
        guard let end = try await ending(of: job, isPatient: false) else {
            throw Failure.unknown(job)
        }
        guard let result = end.result, end.state.isDone else {
            throw end.fault ?? Failure.cancelled(job)
        }
        return result
    }

    /// Everything that is known of a job; nil for an unknown one.
    ///
    /// - Throws: `JobStoreError`.
    public func job(_ id: JobID) async throws -> JobRecord? {
        try await lane.run { [store] in try store.job(id) }
    }

    /// Lists jobs in pages, from the newest to the oldest by the time of acceptance.
    ///
    /// - Parameter listing: Which jobs; `JobPage.next` continues after a page.
    /// - Returns: One page.
    /// - Throws: `JobStoreError`.
    public func jobs(_ listing: JobListing = JobListing()) async throws -> JobPage {
        try await lane.run { [store] in try store.list(listing) }
    }

    /// Counts the jobs in each state; states without jobs are left out.
    ///
    /// - Returns: The counts.
    /// - Throws: `JobStoreError`.
    public func counts() async throws -> [JobState: Int] {
        try await lane.run { [store] in try store.counts() }
    }

    /// Queues a job again that has ended, with all its tries; one that is being cancelled runs after all, and one that
    /// waits or runs stays as it is.
    ///
    /// - Throws: `Failure` for a job that is not known, `JobStoreError`.
    public func retry(_ id: JobID) async throws {
        let action = try await lane.run { [store] in try store.retry(id) }
        guard action != nil else { throw Failure.unknown(id) }
    }

    /// Cancels a job, also a running one, which stops within two seconds; one that has ended stays as it is.
    ///
    /// - Throws: `Failure` for a job that is not known, `JobStoreError`.
    public func cancel(_ id: JobID) async throws {
        let action = try await lane.run { [store] in try store.cancel(id) }
        guard action != nil else { throw Failure.unknown(id) }
    }

    /// Lets running jobs end, for the configuration's time, gives back the rest and ends the worker.
    ///
    /// Nothing is accepted from then on; what waits in the queue stays there, for the next one who opens it.
    public func shutDown() async {
        isShutDown.withLock { $0 = true }
        worker.drain()
        await worker.finished()
    }
}

extension JobState {
    fileprivate var isDone: Bool { self == .succeeded || self == .cached }
}

extension Failure {
    fileprivate static func unknown(_ job: JobID) -> Failure {
        Failure(
            exitCode: .inputMissing, code: "notFound", stage: "request",
            message: "there is no job '\(job)'",
            hint: "it was never accepted here, or has been pruned")
    }

    fileprivate static var shutDown: Failure {
        Failure(
            exitCode: .unavailable, code: "queueShutDown", stage: "request",
            message: "no job can be accepted: the queue was shut down",
            hint: "open another ExportQueue with the same configuration")
    }

    fileprivate static var emptyPath: Failure {
        Failure(
            exitCode: .usage, code: "invalidJob", stage: "request",
            message: "a path of the job is empty",
            hint: "give a file's path, or an http or https address")
    }

    fileprivate static func badAddress(_ reason: String) -> Failure {
        Failure(
            exitCode: .usage, code: "invalidJob", stage: "request",
            message: "no job can be accepted with a source that cannot be fetched: \(reason)",
            hint: "give an http or https address without user and password")
    }

    fileprivate static func cancelled(_ job: JobID) -> Failure {
        Failure(
            exitCode: .interrupted, code: "cancelled", stage: "request",
            message: "job '\(job)' was cancelled",
            hint: "retry it when you want the file")
    }
}
