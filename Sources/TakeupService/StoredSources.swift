internal import Foundation
internal import TakeupCache
internal import TakeupCurl
internal import TakeupFetch
internal import TakeupModel
internal import TakeupS3
internal import TakeupWorker

/// The fetched sources of a cache, as the commands on it see them.
struct StoredSources: Sendable {
    /// To name a source, a user types at least this many first digits of the source's key.
    private static let leastDigits = 8

    /// nil where there is none, and none can be made on a disk that is read-only.
    private let store: SourceStore?
    private let limits: SourceLimits
    private let now: @Sendable () -> Double

    init(
        _ store: SourceStore, limits: CacheLimits, now: @escaping @Sendable () -> Double
    ) {
        (self.store, self.limits, self.now) = (store, SourceLimits(limits), now)
    }

    init(
        at places: StatePlaces, limits: CacheLimits, now: @escaping @Sendable () -> Double
    ) throws(Failure) {
        (self.limits, self.now) = (SourceLimits(limits), now)
        store = try Self.attempt { () throws(FetchError) in
            do throws(FetchError) {
                return try SourceStore(cacheFolder: places.cache, clock: now)
            } catch {
                if case .storage(_, EROFS) = error { return nil }
                throw error
            }
        }
    }

    /// Oldest first.
    func entries() throws(Failure) -> [CacheEntry] {
        try summaries().map(entry)
    }

    /// - Returns: nil for one that is not here.
    func entry(named name: String) throws(Failure) -> CacheEntry? {
        guard let key = try key(named: name) else { return nil }
        return try summaries().first { $0.key == key }.map(entry)
    }

    private func summaries() throws(Failure) -> [SourceSummary] {
        try Self.attempt { () throws(FetchError) in try store?.list() ?? [] }.sorted {
            ($0.entry.createdAt, $0.key.description) < ($1.entry.createdAt, $1.key.description)
        }
    }

    private func entry(_ source: SourceSummary) -> CacheEntry {
        CacheEntry(
            id: source.key.description, names: [], path: "\(store?.path ?? "")/\(source.key.place)",
            bytes: source.presentBytes, sha256: nil, preset: nil, source: source.entry.address,
            createdAt: source.entry.createdAt, expiresAt: nil,
            lastAccessAt: source.entry.lastUsedAt, hits: 0, isPinned: source.entry.isPinned,
            kind: source.isComplete ? .source : .partialSource)
    }

    /// Finds a source by its address or by the beginning of its key.
    ///
    /// - Returns: nil for none, and when several begin so.
    private func key(named name: String) throws(Failure) -> SourceKey? {
        if let object = S3Address(name) { return SourceKey(address: object.description) }
        if let address = try? WebAddress(name) { return SourceKey(address: address.text) }
        guard name.utf8.count >= Self.leastDigits else { return nil }
        let found = try summaries().map(\.key).filter { $0.description.hasPrefix(name) }
        return found.count == 1 ? found[0] : nil
    }

    /// - Returns: `false` for one that is not here.
    func setPinned(_ isPinned: Bool, named name: String) throws(Failure) -> Bool {
        guard let store, let key = try key(named: name) else { return false }
        return try Self.attempt { () throws(FetchError) in try store.setPinned(isPinned, key) }
    }

    func remove(named name: String) throws(Failure) -> CacheAccess.RemovalOutcome {
        guard let store, let key = try key(named: name) else { return .unknown }
        switch try Self.attempt({ () throws(FetchError) in try store.remove(key) }) {
        case .removed: return .removed
        case .deferred: return .inUse
        case .pinned: return .pinned
        case .missing: return .unknown
        }
    }

    /// Removes what the limits do not permit, or only tells it.
    func clean(isDryRun: Bool) throws(Failure) -> [CacheAccess.Eviction] {
        guard let store else { return [] }
        guard isDryRun else {
            return try Self.attempt { () throws(FetchError) in try store.evict(limits) }.map {
                CacheAccess.Eviction(
                    id: $0.key.shortName, bytes: $0.bytes, reason: $0.reason.text,
                    outcome: $0.outcome == .removed ? .removed : .inUse)
            }
        }
        let sources = try summaries()
        let free = try Self.attempt { () throws(FetchError) in try store.freeBytes() }
        return limits.victims(among: sources, now: now(), freeBytes: free).map {
            CacheAccess.Eviction(
                id: $0.source.key.shortName, bytes: $0.source.diskBytes, reason: $0.reason.text,
                outcome: .planned)
        }
    }

    /// Compares every block with its checksum; what is wrong is dropped, and fetched again when it is needed.
    func verify() throws(Failure) -> (checked: Int, damages: [CacheAccess.Damage]) {
        var (checked, damages): (Int, [CacheAccess.Damage]) = (0, [])
        for source in try summaries() {
            let dropped = try Self.attempt { () throws(FetchError) in
                try store?.existing(source.key)?.dropDamage()
            }
            guard let dropped else { continue }
            checked += 1
            guard dropped > 0 else { continue }
            let blocks = dropped == 1 ? "1 block" : "\(dropped) blocks"
            damages.append(
                CacheAccess.Damage(
                    id: source.key.shortName,
                    problem: "\(blocks) of the source \(source.entry.address) had other content"))
        }
        return (checked, damages)
    }

    /// How many there are, and what they take up.
    func figures() throws(Failure) -> (entries: Int, bytes: Int64) {
        let sources = try summaries()
        return (sources.count, sources.reduce(0) { $0 + $1.diskBytes })
    }

    private static func attempt<Value>(
        _ body: () throws(FetchError) -> Value
    ) throws(Failure) -> Value {
        do throws(FetchError) { return try body() } catch { throw Failure(error) }
    }
}

extension SourceFile {
    /// - Returns: How many blocks were wrong.
    fileprivate func dropDamage() throws(FetchError) -> Int {
        var dropped = -1
        // Each look ends at the first block that is wrong.
        while status.droppedBlocks > dropped {
            dropped = status.droppedBlocks
            _ = try sha256()
        }
        return dropped
    }
}

extension SourceKey {
    fileprivate var shortName: String { String(description.prefix(CacheEntry.keyDigits)) }
    /// Below the store's folder.
    fileprivate var place: String { "\(description.prefix(2))/\(description)" }
}

extension SourceLimits.Reason {
    fileprivate var text: String {
        switch self {
        case .expired: "expired"
        case .unused: "unused for too long"
        case .overCount: "too many sources"
        case .overBytes: "too many bytes of sources"
        case .lowSpace: "too little free space"
        }
    }
}
