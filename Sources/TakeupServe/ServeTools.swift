package import TakeupCache
package import TakeupDaemon
package import TakeupFetch
internal import TakeupFiles
package import TakeupIntake
package import TakeupJobs
package import TakeupMediaClient
package import TakeupModel
package import TakeupService
package import TakeupTelemetry

/// What the routes work with; the command opens it once.
package struct ServeTools: Sendable {
    package let places: StatePlaces
    package let queue: QueueAccess
    /// The results, for media by id and for its digests.
    package let cache: MediaCache
    /// The fetched sources, shared with the worker of this process where there is one.
    package let sources: SourceLibrary
    /// The worker of this process; nil where others work.
    package let worker: WorkerAccess?
    package let settings: ServeSettings
    /// The user's own presets; nil for none.
    package let presetFolder: PresetFolder?
    /// How the process is started that plans exports.
    package let helper: HelperConfiguration
    /// What the service measures besides requests.
    package let metrics: @Sendable () -> Metrics
    package let log: Log
    /// Seconds since 1970.
    package let wallClock: @Sendable () -> Double
    /// Seconds of a clock that never goes back.
    package let now: @Sendable () -> Double
    /// Which paths a request may name.
    package let pathRule: PathRule
    /// What routes share, and what lives longer than a request.
    let desk: ServeDesk

    package init(
        places: StatePlaces, queue: QueueAccess, cache: MediaCache, sources: SourceLibrary,
        worker: WorkerAccess?, settings: ServeSettings, presetFolder: PresetFolder? = nil,
        helper: HelperConfiguration = .foreground,
        metrics: @escaping @Sendable () -> Metrics = { Metrics() }, log: Log,
        wallClock: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> Double
    ) {
        (self.places, self.queue, self.cache) = (places, queue, cache)
        (self.sources, self.worker, self.settings) = (sources, worker, settings)
        (self.presetFolder, self.helper, self.metrics) = (presetFolder, helper, metrics)
        (self.log, self.wallClock, self.now) = (log, wallClock, now)
        let uploads = UploadStore(
            folder: Self.uploadFolder(places), mostBytes: settings.uploadBytes,
            minFreeBytes: max(cache.limits.minFreeBytes, 0), wallClock: wallClock)
        pathRule = Self.pathRule(settings.allowedPaths, places)
        desk = ServeDesk(
            places, queue, cache, sources.store, helper: helper, uploads, now: now,
            wallClock: wallClock)
    }
}

extension ServeTools {
    private static func uploadFolder(_ places: StatePlaces) -> String {
        "\(places.home)/uploads"
    }

    /// Which paths requests may name.
    package static func pathRule(_ folders: [String], _ places: StatePlaces) -> PathRule {
        PathRule(
            folders: folders,
            refused: [places.home, places.cache, Folder.containing(places.localDatabase)],
            uploads: uploadFolder(places))
    }
}

/// What a server was told on its command line.
package struct ServeSettings: Sendable, Equatable {
    /// Folders below which jobs may name sources and outputs; absolute.
    package var allowedPaths: [String] = []
    /// The address that clients use, such as `https://media.example.com`; nil for the one of the request.
    package var publicURL: String?
    /// The largest upload, in bytes.
    package var uploadBytes: Int64 = 20_000_000_000
    /// Seconds for which a proxy address is valid; nil for as long as the key is.
    package var proxySeconds: Double?
    /// Jobs that this process does at once; 0 where others work.
    package var lanes = 0

    package init() {}
}
