public import TakeupFetch
internal import TakeupJobs

extension SourceLibrary {
    /// Fetches into a cache's folder, where `takeup` does too.
    ///
    /// - Parameters:
    ///   - folder: The cache's; absolute; made where there is none.
    ///   - settings: From where may be fetched, and how; without them from public addresses by https on its own port.
    /// - Throws: `FetchError.storage`.
    public convenience init(
        cacheFolder folder: String, settings: FetchSettings = FetchSettings()
    ) throws(FetchError) {
        self.init(
            store: try SourceStore(cacheFolder: folder, clock: WallClock.now), settings: settings)
    }
}
