internal import Foundation
package import TakeupCache
package import TakeupFetch
internal import TakeupJobs
package import TakeupModel
internal import TakeupWorker

extension CacheAccess {
    /// Opens the cache of a machine, and makes it when there is none.
    package init(
        at places: StatePlaces, limits: CacheLimits,
        now: @escaping @Sendable () -> Double = WallClock.now
    ) throws(Failure) {
        let cache = try places.openReadableCache(limits, now: now)
        let sources = try StoredSources(at: places, limits: limits, now: now)
        self.init(cache, sources, now)
    }

    /// The cache of stores that a process has open; opens and makes nothing.
    package init(
        _ cache: MediaCache, _ sources: SourceStore, now: @escaping @Sendable () -> Double
    ) {
        self.init(cache, StoredSources(sources, limits: cache.limits, now: now), now)
    }

    private init(
        _ cache: MediaCache, _ sources: StoredSources, _ now: @escaping @Sendable () -> Double
    ) {
        let limits = cache.limits
        entries = { () throws(Failure) in
            let (entries, names) = try Self.attempt(cache) { () throws(CacheError) in
                (try cache.manifest.entries(), try cache.manifest.aliases())
            }
            return entries.map {
                CacheEntry($0, path: cache.objects.path(of: $0.object), names: names[$0.key])
            } + (try sources.entries())
        }
        use = { id throws(Failure) in
            try Self.attempt(cache) { () throws(CacheError) in
                guard let found = try cache.lookup(id) else { return nil }
                return CacheEntry(
                    found.entry, path: found.file.path,
                    names: try cache.manifest.aliases(of: found.entry.key), asked: id)
            }
        }
        find = { id throws(Failure) in
            let found = try Self.attempt(cache) { () throws(CacheError) in
                try cache.manifest.entry(named: id).map { (entry) throws(CacheError) in
                    CacheEntry(
                        entry, path: cache.objects.path(of: entry.object),
                        names: try cache.manifest.aliases(of: entry.key), asked: id)
                }
            }
            if let found { return found }
            return try sources.entry(named: id)
        }
        address = { id, seconds throws(Failure) in
            try Self.attempt(cache) { () throws(CacheError) in
                try cache.address(of: id, seconds: seconds)
            }
        }
        answer = { job throws(Failure) in
            let entry = try Self.attempt(cache) { () throws(CacheError) in
                try WorkForecast.knownKey(job.request, in: cache.manifest)
                    .flatMap { (key) throws(CacheError) in try cache.manifest.entry(key: key) }
            }
            guard let entry, !entry.isExpired(now: now(), expiresSeconds: limits.expiresSeconds)
            else { return nil }
            let bytes = try Self.attempt(cache) { () throws(CacheError) in
                try cache.objects.size(of: entry.object)
            }
            let path = cache.objects.path(of: entry.object)
            return bytes == entry.bytes ? CacheEntry(entry, path: path, names: nil) : nil
        }
        figures = { () throws(Failure) in
            var figures = CacheFigures(
                try Self.attempt(cache) { () throws(CacheError) in try cache.statistics() })
            (figures.sources, figures.sourceBytes) = try sources.figures()
            return figures
        }
        setPinned = { id, isPinned throws(Failure) in
            let isDone = try Self.attempt(cache) { () throws(CacheError) in
                try cache.manifest.setPinned(isPinned, named: id)
            }
            return isDone ? true : try sources.setPinned(isPinned, named: id)
        }
        remove = { id throws(Failure) in
            let outcome = RemovalOutcome(
                try Self.attempt(cache) { () throws(CacheError) in try cache.remove(id) })
            return outcome == .unknown ? try sources.remove(named: id) : outcome
        }
        clean = { isDryRun throws(Failure) in
            try Self.attempt(cache) { () throws(CacheError) in
                try cache.clean(isDryRun: isDryRun)
            }.map(Eviction.init) + (try sources.clean(isDryRun: isDryRun))
        }
        verify = { () throws(Failure) in
            var checked = 0
            let damages = try Self.attempt(cache) { () throws(CacheError) in
                try cache.verify(repairing: true) { done, _ in
                    checked = done
                    return true
                }
            }
            let found = try sources.verify()
            return (checked + found.checked, damages.map(Damage.init) + found.damages)
        }
    }

    /// What is not there is told as that only while the cache itself is there.
    private static func attempt<Value>(
        _ cache: MediaCache, _ body: () throws(CacheError) -> Value
    ) throws(Failure) -> Value {
        do throws(CacheError) {
            try cache.requirePlace()
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}

extension CacheAccess.RemovalOutcome {
    fileprivate init(_ removal: MediaCache.Removal) {
        self =
            switch removal {
            case .removed: .removed
            case .pinned: .pinned
            case .inUse: .inUse
            case .unknown: .unknown
            }
    }
}

extension CacheEntry {
    fileprivate init(
        _ entry: ManifestEntry, path: String, names: [String]?, asked: String? = nil
    ) {
        let names = names ?? []
        self.init(
            id: asked.flatMap { names.contains($0) ? $0 : nil } ?? entry.id, names: names,
            path: path, bytes: entry.bytes, sha256: entry.sha256,
            preset: entry.preset, source: entry.source, createdAt: entry.createdAt,
            expiresAt: entry.expiresAt, lastAccessAt: entry.lastAccessAt, hits: entry.hits,
            isPinned: entry.isPinned)
    }
}

extension CacheAccess.Eviction {
    fileprivate init(_ eviction: TakeupCache.Eviction) {
        let outcome: Outcome =
            switch eviction.outcome {
            case .removed: .removed
            case .planned: .planned
            case .inUse: .inUse
            case .kept: .kept
            }
        let reason =
            switch eviction.reason {
            case .expired: "expired"
            case .unused: "unused for too long"
            case .overCount: "too many entries"
            case .overBytes: "too many bytes"
            case .lowSpace: "too little free space"
            }
        self.init(id: eviction.id, bytes: eviction.bytes, reason: reason, outcome: outcome)
    }
}

extension CacheAccess.Damage {
    fileprivate init(_ damage: TakeupCache.Damage) {
        let problem =
            switch damage.kind {
            case .missing: "the file is missing"
            case .wrongSize: "the file has another size"
            case .wrongContent: "the file has other content"
            }
        self.init(id: damage.id, problem: problem)
    }
}
