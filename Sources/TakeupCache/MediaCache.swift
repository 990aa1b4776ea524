internal import TakeupSQL

/// The results that are kept: the manifest's rows and the directory's files, which come and go together.
///
/// Calls block and may come from any lane.
public final class MediaCache: Sendable {
    public let manifest: Manifest
    public let directory: CacheDirectory
    public let limits: CacheLimits
    let log: AccessLog?

    /// Opens the cache of a database.
    ///
    /// - Parameters:
    ///   - path: The cache's root.
    ///   - manifest: Its rows.
    ///   - limits: What it may grow to.
    ///   - log: Where events go; nil writes none.
    ///   - adopting: Takes the directory as it is, as `CacheDirectory.init`.
    /// - Throws: `CacheError`, as `CacheDirectory.init`.
    public init(
        path: String, manifest: Manifest, limits: CacheLimits, log: AccessLog? = nil,
        adopting: Bool = false
    ) throws(CacheError) {
        (self.manifest, self.limits, self.log) = (manifest, limits, log)
        directory = try CacheDirectory(path: path, manifest: manifest, adopting: adopting)
    }

    init(
        _ directory: CacheDirectory, _ manifest: Manifest, _ limits: CacheLimits,
        _ log: AccessLog? = nil
    ) {
        (self.directory, self.manifest, self.limits, self.log) = (directory, manifest, limits, log)
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
    ///   - adopting: Takes the directory as it is, as `CacheDirectory.init`.
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
            let directory = try CacheDirectory(reading: path, manifest: manifest)
            return MediaCache(directory, manifest, limits, log)
        }
        do throws(CacheError) {
            return try MediaCache(
                path: path, manifest: manifest, limits: limits, log: log, adopting: adopting)
        } catch {
            guard case .notWritable = error,
                let directory = try? CacheDirectory(reading: path, manifest: manifest)
            else { throw error }
            return MediaCache(directory, manifest, limits, log)
        }
    }

    /// Seconds since 1970, by the manifest's clock.
    var now: Double { manifest.now() }

    /// What is held and what it has been good for.
    public func statistics() throws(CacheError) -> CacheStatistics {
        var statistics = try manifest.statistics()
        statistics.freeBytes = try directory.freeBytes()
        (statistics.orphans, statistics.orphanBytes) = try directory.orphanSizes()
        return statistics
    }

    func note(_ kind: CacheEvent.Kind, id: String, _ entry: ManifestEntry? = nil) {
        log?.append(
            CacheEvent(time: now, event: kind, id: id, key: entry?.key, bytes: entry?.bytes))
    }
}
