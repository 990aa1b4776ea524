internal import Foundation
internal import TakeupFiles

/// The sources on disk: `ab/<64 hex>/` each, beside `staging`, `trash` and `quarantine`.
///
/// Any number of processes share it. Who has a source open holds a shared lock of the kernel on its folder; who
/// removes it an exclusive one, and renames it away before anything in it goes. All calls block.
public final class SourceStore: Sendable {
    /// A use is noted again after that time.
    static let touchSeconds = 60.0
    static let mostTries = 64

    /// The path of its root.
    public let path: String
    let root: StoreFolder
    let staging: StoreFolder
    let trash: StoreFolder
    let quarantine: StoreFolder
    /// Seconds since 1970.
    let clock: @Sendable () -> Double
    /// Free space on its file system, in bytes; nil asks the system.
    let space: (@Sendable () -> Int64)?

    /// Opens a store, making an empty one where there is none.
    ///
    /// - Parameters:
    ///   - path: Its root; the folder above it must be there.
    ///   - clock: Seconds since 1970.
    /// - Throws: `FetchError.storage`, with `ELOOP` or `ENOTDIR` for a symbolic link and `EPERM` for a folder that
    ///   others own or may write to.
    public convenience init(
        path: String, clock: @escaping @Sendable () -> Double
    ) throws(FetchError) {
        try self.init(path: path, clock: clock, space: nil)
    }

    /// The same, on a disk of which a test says how full it is.
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

    /// Opens a source, making an empty one where there is none.
    ///
    /// - Parameters:
    ///   - key: The SHA-256 of its canonical address.
    ///   - address: For people: without credentials and query.
    /// - Returns: As its writer unless there is another one.
    /// - Throws: `FetchError.storage`.
    public func open(_ key: SourceKey, address: String) throws(FetchError) -> SourceFile {
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

    /// Opens a source that is here.
    ///
    /// - Returns: nil when it is not.
    /// - Throws: `FetchError.storage`.
    public func existing(_ key: SourceKey) throws(FetchError) -> SourceFile? {
        if try sweep(key) == .removed { return nil }
        guard let folder = try hold(key), let entry = try entry(folder) else { return nil }
        try noteUse(folder, address: entry.address)
        return try SourceFile(folder, key: key, address: entry.address, clock: clock)
    }

    /// A source's folder, locked as used.
    ///
    /// - Returns: nil when there is none.
    func hold(_ key: SourceKey) throws(FetchError) -> StoreFolder? {
        for _ in 0..<Self.mostTries {
            guard let shard = try root.existingFolder(key.shard),
                let folder = try shard.existingFolder(key.description)
            else { return nil }
            // An exclusive lock is held for the moment of a rename only.
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

    /// Makes a source's folder with all that belongs into it, and then gives it its name.
    private func create(
        _ key: SourceKey, address: String, in shard: StoreFolder
    ) throws(FetchError) {
        let name = StoreFolder.freshName()
        let folder = try staging.folder(name)
        // Keeps it from being swept.
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
        // Somebody else was faster, or it was swept.
        guard [EEXIST, ENOTEMPTY, ENOENT].contains(reason) else {
            throw .storage(path: "\(shard.path)/\(key)", errno: reason)
        }
    }
}
