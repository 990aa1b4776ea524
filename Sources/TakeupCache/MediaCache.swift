internal import TakeupSQL

/// The results that are kept: the manifest's rows and the store's objects, which come and go together.
///
/// Calls block and may come from any lane.
public final class MediaCache: Sendable {
    public let manifest: Manifest
    public let objects: any ObjectStore
    public let limits: CacheLimits
    let log: AccessLog?

    /// Opens the cache of a database.
    ///
    /// - Parameters:
    ///   - path: The cache's root.
    ///   - manifest: Its rows.
    ///   - limits: What it may grow to.
    ///   - log: Where events go; nil writes none.
    ///   - adopting: Takes the directory as it is, as `LocalObjects.init`.
    /// - Throws: `CacheError`, as `LocalObjects.init`.
    public convenience init(
        path: String, manifest: Manifest, limits: CacheLimits, log: AccessLog? = nil,
        adopting: Bool = false
    ) throws(CacheError) {
        self.init(
            objects: try LocalObjects(path: path, manifest: manifest, adopting: adopting),
            manifest: manifest, limits: limits, log: log)
    }

    /// Joins rows and objects.
    ///
    /// - Parameters:
    ///   - objects: The files of the results.
    ///   - manifest: Their rows.
    ///   - limits: What it may grow to.
    ///   - log: Where events go; nil writes none.
    public init(
        objects: any ObjectStore, manifest: Manifest, limits: CacheLimits, log: AccessLog? = nil
    ) {
        (self.objects, self.manifest, self.limits, self.log) = (objects, manifest, limits, log)
    }

    /// The same cache, for work that `isStopped` ends also while its store waits; see `ObjectStore.stopping`.
    public func stopping(_ isStopped: @escaping @Sendable () -> Bool) -> MediaCache {
        MediaCache(
            objects: objects.stopping(isStopped), manifest: manifest, limits: limits, log: log)
    }

    /// Opens the cache of a database; where either cannot be written, for reading alone.
    ///
    /// Lookups, lists and sums work then; nothing is counted in a database that cannot be written, nothing is repaired,
    /// and whatever changes something throws.
    ///
    /// - Parameters:
    ///   - path: The cache's root.
    ///   - open: Opens the manifest.
    ///   - database: The database file; nil if the manifest is not in one, which cannot be opened for reading alone.
    ///   - now: Seconds since 1970.
    ///   - limits: What it may grow to.
    ///   - log: Where events go; nil writes none.
    ///   - adopting: Takes the directory as it is, as `LocalObjects.init`.
    /// - Returns: The cache, which may refuse to be written.
    /// - Throws: `CacheError`, as `init`.
    public static func openReadable(
        path: String, manifest open: () throws(CacheError) -> Manifest, database: String?,
        now: @escaping @Sendable () -> Double,
        limits: CacheLimits, log: AccessLog? = nil, adopting: Bool = false
    ) throws(CacheError) -> MediaCache {
        let manifest: Manifest
        do throws(CacheError) {
            manifest = try open()
        } catch {
            guard case .store(let reason) = error, reason.isReadOnly || reason.isCannotOpen,
                let database, let readable = try? Manifest(reading: database, now: now)
            else { throw error }
            manifest = readable
        }
        if manifest.isReadOnly {
            let objects = try LocalObjects(reading: path, manifest: manifest)
            return MediaCache(objects: objects, manifest: manifest, limits: limits, log: log)
        }
        do throws(CacheError) {
            return try MediaCache(
                path: path, manifest: manifest, limits: limits, log: log, adopting: adopting)
        } catch {
            guard case .notWritable = error,
                let objects = try? LocalObjects(reading: path, manifest: manifest)
            else { throw error }
            return MediaCache(objects: objects, manifest: manifest, limits: limits, log: log)
        }
    }

    /// Sees that the rows and the files are still those of the database and the folder that were opened.
    ///
    /// - Throws: `CacheError.gone` for the folder; `CacheError.store` for the database's file.
    public func requirePlace() throws(CacheError) {
        try manifest.requirePlace()
        try objects.requirePlace()
    }

    /// Seconds since 1970, by the manifest's clock.
    var now: Double { manifest.now() }

    /// What is held and what it has been good for.
    public func statistics() throws(CacheError) -> CacheStatistics {
        var statistics = try manifest.statistics()
        statistics.freeBytes = try objects.freeBytes()
        (statistics.orphans, statistics.orphanBytes) = try objects.orphanSizes()
        return statistics
    }

    func note(_ kind: CacheEvent.Kind, id: String, _ entry: ManifestEntry? = nil) {
        log?.append(
            CacheEvent(time: now, event: kind, id: id, key: entry?.key, bytes: entry?.bytes))
    }
}
