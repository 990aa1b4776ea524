internal import Foundation
public import TakeupFetch
internal import TakeupFiles

extension SourceStore {
    /// What the store of fetched sources is called in a cache's folder.
    public static let folderName = "sources"

    /// Opens the store in a cache's folder, and makes both where there are none, for this user alone.
    ///
    /// - Parameters:
    ///   - folder: The cache's; absolute.
    ///   - clock: Seconds since 1970.
    /// - Throws: `FetchError.storage`.
    public convenience init(
        cacheFolder folder: String, clock: @escaping @Sendable () -> Double
    ) throws(FetchError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            let isForbidden = (error as? CocoaError)?.code == .fileWriteNoPermission
            throw .storage(path: folder, errno: isForbidden ? EACCES : EIO)
        }
        try self.init(path: "\(folder)/\(Self.folderName)", clock: clock)
    }

    /// Sees that bytes that are still to come have room, and lets go what nobody uses when they have none.
    ///
    /// - Parameters:
    ///   - bytes: So many at most.
    ///   - limits: Say what is left free for others.
    ///   - address: Whose they are, for messages.
    /// - Throws: `FetchError` with `.storage` and `ENOSPC`; `.tooLarge` when the file system could never hold them.
    public func requireRoom(
        for bytes: Int64, _ limits: SourceLimits, address: String
    ) throws(FetchError) {
        guard bytes > 0, try freeBytes() - limits.minFreeBytes < bytes else { return }
        if let capacity = try? FreeSpace.capacity(at: path), bytes > capacity - limits.minFreeBytes
        {
            throw .tooLarge(limitBytes: max(0, capacity - limits.minFreeBytes), address: address)
        }
        var tighter = limits
        tighter.minFreeBytes += bytes
        _ = try evict(tighter)
        guard try freeBytes() >= tighter.minFreeBytes else {
            throw .storage(path: path, errno: ENOSPC)
        }
    }

    /// Whether bytes that are still to come have room; asks as `requireRoom` does.
    public func hasRoom(for bytes: Int64, _ limits: SourceLimits, address: String) -> Bool {
        (try? requireRoom(for: bytes, limits, address: address)) != nil
    }
}
