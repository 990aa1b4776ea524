public import TakeupCache
public import TakeupFetch
internal import TakeupJobs

extension SourceLibrary {
    /// Fetches into a cache's folder, where `takeup` does too.
    ///
    /// - Parameters:
    ///   - folder: The cache's; absolute; made where there is none.
    ///   - settings: From where may be fetched, and how; without them from public addresses by https on its own port.
    ///   - limits: The cache's, held while bytes come where the settings have none of their own.
    /// - Throws: `FetchError.storage`.
    public convenience init(
        cacheFolder folder: String, settings: FetchSettings = FetchSettings(),
        limits: CacheLimits = CacheLimits()
    ) throws(FetchError) {
        var settings = settings
        settings.storeLimits = settings.storeLimits ?? SourceLimits(limits)
        self.init(
            store: try SourceStore(cacheFolder: folder, clock: WallClock.now), settings: settings)
    }
}
