internal import TakeupFiles

/// A source that was evicted, or could not be.
public struct SourceEviction: Sendable, Equatable {
    public var key: SourceKey
    public var bytes: Int64
    public var reason: SourceLimits.Reason
    public var outcome: SourceStore.Removal
}

extension SourceStore {
    /// Evicts the sources that exceed the limits.
    ///
    /// - Throws: `FetchError.storage`.
    public func evict(_ limits: SourceLimits) throws(FetchError) -> [SourceEviction] {
        var sources: [SourceSummary] = []
        for source in try list() {
            // Sources whose removal was deferred go first, whatever the limits are.
            if source.entry.isDoomed, try sweep(source.key) == .removed { continue }
            sources.append(source)
        }
        let victims = limits.victims(among: sources, now: clock(), freeBytes: try freeBytes())
        var evictions: [SourceEviction] = []
        for (source, reason) in victims {
            let outcome = try evict(source)
            evictions.append(
                SourceEviction(
                    key: source.key, bytes: source.diskBytes, reason: reason, outcome: outcome))
        }
        return evictions
    }

    /// Returns the free space of the file system, in bytes, for an unprivileged user.
    public func freeBytes() throws(FetchError) -> Int64 {
        if let space { return space() }
        do throws(FileError) {
            return try FreeSpace.bytes(at: "/proc/self/fd/\(root.descriptor)")
        } catch {
            throw .storage(path, error)
        }
    }

    /// Evicts one source; unlike `remove`, keeps a source that somebody has begun to use.
    private func evict(_ source: SourceSummary) throws(FetchError) -> Removal {
        guard let shard = try root.existingFolder(source.key.shard),
            let folder = try shard.existingFolder(source.key.description)
        else { return .missing }
        guard try folder.lock(.exclusive) else { return .deferred }
        guard let entry = try entry(folder) else { return .missing }
        if entry.isPinned { return .pinned }
        guard entry.lastUsedAt == source.entry.lastUsedAt else { return .deferred }
        return try remove(folder, source.key, in: shard) ? .removed : .missing
    }
}
