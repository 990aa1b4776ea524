package import TakeupCache
package import TakeupDaemon
package import TakeupFetch
package import TakeupJobs
package import TakeupService
package import TakeupTelemetry

/// What the routes work with; the command opens it once.
package struct ServeTools: Sendable {
    package var places: StatePlaces
    package var queue: QueueAccess
    /// The results, for media by id and for its digests.
    package var cache: MediaCache
    /// The fetched sources, shared with the worker of this process where there is one.
    package var sources: SourceLibrary
    /// The worker of this process; nil where others work.
    package var worker: WorkerAccess?
    package var settings: ServeSettings
    package var log: Log
    /// Seconds since 1970.
    package var wallClock: @Sendable () -> Double
    /// Seconds of a clock that never goes back.
    package var now: @Sendable () -> Double

    package init(
        places: StatePlaces, queue: QueueAccess, cache: MediaCache, sources: SourceLibrary,
        worker: WorkerAccess?, settings: ServeSettings, log: Log,
        wallClock: @escaping @Sendable () -> Double, now: @escaping @Sendable () -> Double
    ) {
        (self.places, self.queue, self.cache) = (places, queue, cache)
        (self.sources, self.worker, self.settings) = (sources, worker, settings)
        (self.log, self.wallClock, self.now) = (log, wallClock, now)
    }
}

/// What a server was told on its command line.
package struct ServeSettings: Sendable, Equatable {
    /// Folders below which jobs may name sources and outputs; absolute, links resolved.
    package var allowedPaths: [String] = []
    /// The address that clients use, such as `https://media.example.com`; nil for the one of the request.
    package var publicURL: String?
    /// The largest upload, in bytes.
    package var uploadBytes: Int64 = 20_000_000_000
    /// Seconds for which a proxy address is valid; nil for as long as the key is.
    package var proxySeconds: Double?

    package init() {}
}
