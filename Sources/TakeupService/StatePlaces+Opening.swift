internal import Foundation
public import TakeupCache
internal import TakeupFiles
public import TakeupJobs
public import TakeupModel
internal import TakeupSQL
internal import TakeupSQLite
public import TakeupTelemetry
public import TakeupWatch
public import TakeupWorker

/// Opens the stores of a machine; no other place does.
extension StatePlaces {
    /// Whether there is a queue; makes none, neither in a folder nor on a server.
    ///
    /// - Throws: If the server does not answer.
    public func hasQueue() throws(Failure) -> Bool {
        guard database.path == nil else { return hasDatabaseFile }
        do throws(JobStoreError) {
            return try SQLJobStore.isMade(in: database.database)
        } catch {
            throw Failure(error)
        }
    }

    /// Whether files of this machine can be known.
    public var hasLocalDatabase: Bool { !Folder.isAbsent(localDatabase) }

    var hasDatabaseFile: Bool { database.path.map { !Folder.isAbsent($0) } ?? false }

    /// Opens the queue that there is; makes none.
    ///
    /// - Returns: nil where there is none.
    /// - Throws: `JobStoreError`.
    public func existingStore() throws(JobStoreError) -> SQLJobStore? {
        if let path = database.path {
            return hasDatabaseFile
                ? try SQLJobStore(path: path, onNewWork: Self.forgetResults) : nil
        }
        guard try SQLJobStore.isMade(in: database.database) else { return nil }
        return try SQLJobStore(database.database, onNewWork: Self.forgetResults)
    }

    /// Lets no new job's id name the result of an earlier job.
    private static let forgetResults: SQLJobStore.NewWork = {
        (jobs, connection) throws(SQLError) in
        try Manifest.forget(jobs.map(\.rawValue), connection)
    }

    /// Opens the queue, and makes it where there is none; the home folder has to exist.
    ///
    /// - Throws: `JobStoreError`.
    public func openStore() throws(JobStoreError) -> SQLJobStore {
        if let path = database.path {
            return try SQLJobStore(path: path, onNewWork: Self.forgetResults)
        }
        try SQLJobStore.prepare(localDatabase)
        return try SQLJobStore(database.database, onNewWork: Self.forgetResults)
    }

    /// Opens the queue, and makes it and the home folder where there is none.
    public func openQueue() throws(Failure) -> SQLJobStore {
        try makeHome()
        do throws(JobStoreError) {
            return try openStore()
        } catch {
            throw Failure(error)
        }
    }

    /// Opens the manifest, and makes it where there is none.
    ///
    /// - Parameter now: Seconds since 1970; nil for the database's own clock, as it goes now.
    /// - Returns: The manifest, over connections of its own.
    /// - Throws: `CacheError.store`.
    public func openManifest(
        now: (@Sendable () -> Double)? = nil
    ) throws(CacheError) -> Manifest {
        let clock = if let now { now } else { try databaseClock() }
        return try Manifest(
            database.database, local: database.path == nil ? localDatabase : nil, now: clock)
    }

    private func databaseClock() throws(CacheError) -> @Sendable () -> Double {
        let clock = DatabaseClock()
        do throws(SQLError) {
            if database.path == nil { try clock.settle(database.database.connect(.normal)) }
        } catch {
            throw .store(error)
        }
        return { clock.now() }
    }

    /// Opens the manifest of a database that exists, without making anything in it.
    ///
    /// - Returns: nil where there is none that can be read.
    public func existingManifest() -> Manifest? {
        if let path = database.path { return try? Manifest(reading: path, now: WallClock.now) }
        guard (try? Manifest.isMade(in: database.database)) == true else { return nil }
        return try? openManifest()
    }

    /// Opens the cache of a worker.
    ///
    /// - Throws: `CacheError`.
    public func openCache(
        _ limits: CacheLimits, now: @escaping @Sendable () -> Double = WallClock.now
    ) throws(CacheError) -> MediaCache {
        try openCache(try openManifest(now: now), limits)
    }

    /// Opens the cache, for reading alone where it cannot be written.
    ///
    /// - Parameters:
    ///   - limits: What it may grow to.
    ///   - now: Seconds since 1970.
    /// - Returns: The cache, which may refuse to be written.
    /// - Throws: `Failure`.
    public func openReadableCache(
        _ limits: CacheLimits, now: @escaping @Sendable () -> Double = WallClock.now
    ) throws(Failure) -> MediaCache {
        try requireDatabaseOfCache()
        try makeHome()
        do throws(CacheError) {
            let cache = try readableCache(limits, now)
            // What is not in the adopted place is forgotten at once: it would be taken for lost at the next opening.
            if adoptsCache, !cache.objects.isReadOnly { _ = try cache.reconcile() }
            return cache
        } catch {
            throw Failure(error)
        }
    }

    private func readableCache(
        _ limits: CacheLimits, _ now: @escaping @Sendable () -> Double
    ) throws(CacheError) -> MediaCache {
        // Results on a server are dated by its clock.
        let clock = database.path == nil ? nil : now
        guard let folder = objectsFolder else {
            return try openCache(try openManifest(now: clock), limits)
        }
        return try MediaCache.openReadable(
            path: folder, manifest: { () throws(CacheError) in try openManifest(now: clock) },
            database: database.path, now: now, limits: limits,
            log: AccessLog(folder: home), adopting: adoptsCache)
    }

    /// Opens what is known of watched files, and makes it where there is none.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Returns: The ledger, over a connection of its own.
    /// - Throws: `WatchError.store`.
    public func openLedger(
        now: @escaping @Sendable () -> Double
    ) throws(WatchError) -> WatchLedger {
        try WatchLedger(path: localDatabase, now: now)
    }

    /// Opens what is known of watched files.
    ///
    /// - Returns: nil where no folder was ever watched, or only by another version.
    public func existingLedger(
        now: @escaping @Sendable () -> Double
    ) throws(WatchError) -> WatchLedger? {
        try WatchLedger(madeAt: localDatabase, now: now)
    }

    /// Opens the queue and the cache for a worker, which claims nothing yet.
    ///
    /// - Parameters:
    ///   - configuration: Of the worker.
    ///   - limits: Of the cache.
    ///   - log: Where the worker's lines go.
    /// - Returns: The worker.
    /// - Throws: `Failure`.
    public func openWorker(
        _ configuration: WorkerConfiguration, limits: CacheLimits, log: Log
    ) throws(Failure) -> Worker {
        do throws(WorkerError) {
            return try openStores(configuration, limits: limits, log: log).worker
        } catch {
            throw Failure(error)
        }
    }

    func openStores(
        _ configuration: WorkerConfiguration, limits: CacheLimits, log: Log
    ) throws(WorkerError) -> (store: SQLJobStore, cache: MediaCache, worker: Worker) {
        let store: SQLJobStore
        do throws(JobStoreError) { store = try openStore() } catch { throw .queue(error) }
        let opened: MediaCache
        do throws(CacheError) {
            opened = try openCache(limits, now: store.now)
        } catch {
            throw .cache(error)
        }
        var configuration = configuration
        configuration.objects = configuration.objects ?? bucketSettings
        let worker = try Worker(
            store: store, cache: opened, configuration: configuration, log: log)
        return (store, opened, worker)
    }
}
