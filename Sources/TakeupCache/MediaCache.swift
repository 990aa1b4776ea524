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

    /// Seconds since 1970, by the manifest's clock.
    var now: Double { manifest.now() }

    /// What is held and what it has been good for.
    public func statistics() throws(CacheError) -> CacheStatistics {
        var statistics = try manifest.statistics()
        statistics.freeBytes = try directory.freeBytes()
        return statistics
    }

    func note(_ kind: CacheEvent.Kind, id: String, _ entry: ManifestEntry? = nil) {
        log?.append(
            CacheEvent(time: now, event: kind, id: id, key: entry?.key, bytes: entry?.bytes))
    }
}
