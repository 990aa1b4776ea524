internal import Foundation
internal import TakeupFiles

/// Stores sources on disk: each in `ab/<64 hex>/`, beside `staging`, `trash` and `quarantine`.
///
/// Any number of processes may share the store. A user of a source holds a shared kernel lock on
/// its folder. A remover holds an exclusive lock and renames the folder away before deleting its
/// files. All calls block.
public final class SourceStore: Sendable {
    /// Seconds after which a use is recorded again.
    static let touchSeconds = 60.0
    static let mostTries = 64

    /// Path of the store's root folder.
    public let path: String
    let root: StoreFolder
    let staging: StoreFolder
    let trash: StoreFolder
    let quarantine: StoreFolder
    /// Returns seconds since 1970.
    let clock: @Sendable () -> Double
    /// Returns the free space of the file system, in bytes; nil asks the system.
    let space: (@Sendable () -> Int64)?

    /// Opens a store; creates an empty one if there is none.
    ///
    /// - Parameters:
    ///   - path: The root folder; its parent folder must exist.
    ///   - clock: Returns seconds since 1970.
    /// - Throws: `FetchError.storage`, with `ELOOP` or `ENOTDIR` for a symbolic link and `EPERM`
    ///   for a folder that others own or may write to.
    public convenience init(
        path: String, clock: @escaping @Sendable () -> Double
    ) throws(FetchError) {
        try self.init(path: path, clock: clock, space: nil)
    }

    /// Opens a store with a free-space function, for tests.
    init(
        path: String, clock: @escaping @Sendable () -> Double, space: (@Sendable () -> Int64)?
    ) throws(FetchError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .storage(path: path, errno: errno) }
        root = try StoreFolder(opening: path)
        guard let facts = StoredFacts(root.descriptor), facts.owner == geteuid(),
            facts.permissions & 0o022 == 0
        else { throw .storage(path: path, errno: EPERM) }
        staging = try root.folder("staging")
        trash = try root.folder("trash")
        quarantine = try root.folder("quarantine")
        (self.path, self.clock, self.space) = (path, clock, space)
    }

    /// Sees that the root folder still has its name: a source that is not in it is missing only then.
    ///
    /// - Throws: `FetchError.storage` with `ESTALE`.
    func requirePlace() throws(FetchError) {
        guard root.isInPlace else { throw .storage(path: path, errno: ESTALE) }
    }

    /// Opens a source; creates an empty one if there is none.
    ///
    /// - Parameters:
    ///   - key: The SHA-256 of the canonical address.
    ///   - address: The address for display, without credentials and query.
    /// - Returns: The source, as its writer unless another writer exists.
    /// - Throws: `FetchError.storage`.
    public func open(_ key: SourceKey, address: String) throws(FetchError) -> SourceFile {
        try requirePlace()
        for _ in 0..<Self.mostTries {
            if try sweep(key) == .removed { continue }
            let shard = try root.folder(key.shard)
            guard let folder = try hold(key) else {
                try create(key, address: address, in: shard)
                continue
            }
            try noteUse(folder, address: address)
            return try SourceFile(folder, key: key, address: address, clock: clock)
        }
        throw .storage(path: "\(path)/\(key.shard)/\(key)", errno: EAGAIN)
    }

    /// Opens an existing source.
    ///
    /// - Returns: nil if the source does not exist.
    /// - Throws: `FetchError.storage`.
    public func existing(_ key: SourceKey) throws(FetchError) -> SourceFile? {
        if try sweep(key) == .removed { return nil }
        guard let folder = try hold(key), let entry = try entry(folder) else { return nil }
        try noteUse(folder, address: entry.address)
        return try SourceFile(folder, key: key, address: entry.address, clock: clock)
    }

    /// Opens a source's folder and locks it as used.
    ///
    /// - Returns: nil if the folder does not exist.
    func hold(_ key: SourceKey) throws(FetchError) -> StoreFolder? {
        for _ in 0..<Self.mostTries {
            guard let shard = try root.existingFolder(key.shard),
                let folder = try shard.existingFolder(key.description)
            else {
                try requirePlace()
                return nil
            }
            // An exclusive lock lasts only for the moment of a rename.
            do throws(FileError) {
                try FileLock.wait(for: .shared, on: folder.descriptor)
            } catch {
                throw .storage(folder.path, error)
            }
            if let own = StoredFacts(folder.descriptor),
                try shard.facts(key.description)?.isSameFile(as: own) == true
            {
                return folder
            }
        }
        throw .storage(path: "\(path)/\(key.shard)/\(key)", errno: EAGAIN)
    }

    /// Creates a source's folder in `staging` with all its files, then moves it to its final name.
    private func create(
        _ key: SourceKey, address: String, in shard: StoreFolder
    ) throws(FetchError) {
        let name = StoreFolder.freshName()
        let folder = try staging.folder(name)
        // The lock protects the new folder from being swept.
        guard try folder.lock(.shared) else { return }
        let now = clock()
        do throws(FetchError) {
            try write(SourceEntry(address: address, createdAt: now), folder)
            let generation = SourceFile.fresh(after: 0, now)
            _ = try SourceFiles.begin(
                folder, JournalHeader(generation: generation, createdAt: now))
        } catch {
            try? destroy(name, in: staging)
            throw error
        }
        let reason = withExtendedLifetime(folder) {
            staging.rename(name, to: shard, key.description)
        }
        if reason == 0 { return try shard.synchronize() }
        try destroy(name, in: staging)
        // Another process created the source first, or the new folder was swept.
        guard [EEXIST, ENOTEMPTY, ENOENT].contains(reason) else {
            throw .storage(path: "\(shard.path)/\(key)", errno: reason)
        }
    }
}
