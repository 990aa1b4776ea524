internal import Foundation

/// Holds the free space that a store leaves to others while bytes come that nobody has made room for.
struct SpaceFloor: Sendable {
    private let store: SourceStore
    /// nil where the store may take all there is.
    private let limits: SourceLimits?

    init(_ store: SourceStore, _ limits: SourceLimits?) {
        (self.store, self.limits) = (store, limits)
    }

    /// Lets go what may go once less is free than shall be.
    ///
    /// - Parameter mayEvict: `false` for bytes that are worth less than what is here.
    /// - Throws: `FetchError.storage` with `ENOSPC`, as the disk does, where that is not enough.
    func require(mayEvict: Bool) throws(FetchError) {
        guard let limits, limits.minFreeBytes > 0, try lacks(limits) else { return }
        // What cannot be let go, such as with a damaged neighbour, leaves the space as it is.
        if mayEvict { _ = try? store.evict(limits) }
        guard try lacks(limits) else { return }
        throw .storage(path: store.path, errno: ENOSPC)
    }

    private func lacks(_ limits: SourceLimits) throws(FetchError) -> Bool {
        try store.freeBytes() < limits.minFreeBytes
    }
}
