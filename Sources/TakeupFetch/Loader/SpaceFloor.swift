internal import Foundation

/// Keeps a minimum of free disk space while bytes arrive for which no room was reserved.
struct SpaceFloor: Sendable {
    private let store: SourceStore
    /// The limits of the store; nil if the store may use all space.
    private let limits: SourceLimits?

    init(_ store: SourceStore, _ limits: SourceLimits?) {
        (self.store, self.limits) = (store, limits)
    }

    /// Evicts sources if the free space is below its minimum.
    ///
    /// - Parameter mayEvict: `false` for bytes that are worth less than the stored ones.
    /// - Throws: `FetchError.storage` with `ENOSPC`, like a full disk, if the space is still too
    ///   low.
    func require(mayEvict: Bool) throws(FetchError) {
        guard let limits, limits.minFreeBytes > 0, try lacks(limits) else { return }
        // Ignore a failed eviction, for example because of a damaged entry; the space is checked
        // again.
        if mayEvict { _ = try? store.evict(limits) }
        guard try lacks(limits) else { return }
        throw .storage(path: store.path, errno: ENOSPC)
    }

    /// Checks that so many more bytes can be stored, with all that may be evicted for them.
    ///
    /// - Throws: `FetchError.storage` with `ENOSPC` if they cannot.
    func requireRoom(for bytes: Int64) throws(FetchError) {
        guard let limits else { return }
        let room = try store.freeBytes() - max(0, limits.minFreeBytes)
        guard bytes > room else { return }
        let movable = try store.list().filter { !$0.entry.isPinned && !$0.isInUse }
        guard bytes > room + movable.reduce(0, { $0 + $1.diskBytes }) else { return }
        throw .storage(path: store.path, errno: ENOSPC)
    }

    private func lacks(_ limits: SourceLimits) throws(FetchError) -> Bool {
        try store.freeBytes() < limits.minFreeBytes
    }
}
