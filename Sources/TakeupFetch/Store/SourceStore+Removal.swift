internal import Foundation
internal import TakeupFiles

extension SourceStore {
    /// The result of a removal.
    public enum Removal: Sendable, Equatable {
        case removed
        /// Somebody has the source open; the next lookup after its release removes it.
        case deferred
        case pinned
        case missing
    }

    /// Removes a source with all its files.
    ///
    /// - Throws: `FetchError.storage`.
    public func remove(_ key: SourceKey) throws(FetchError) -> Removal {
        guard let shard = try root.existingFolder(key.shard),
            try shard.facts(key.description)?.isFolder == true,
            let folder = try shard.existingFolder(key.description)
        else {
            try requirePlace()
            return .missing
        }
        if try entry(folder)?.isPinned == true { return .pinned }
        guard try folder.lock(.exclusive) else {
            return try change(key) { $0.isDoomed = true } ? .deferred : .missing
        }
        return try remove(folder, key, in: shard) ? .removed : .missing
    }

    /// Removes an empty source, unless somebody else uses it or has pinned it.
    ///
    /// The caller has locked the folder as used. If the removal fails, the next eviction tries
    /// again.
    func removeUnused(_ folder: StoreFolder, _ key: SourceKey) {
        do throws(FetchError) {
            guard let shard = try root.existingFolder(key.shard),
                try entry(folder)?.isPinned != true, try folder.lock(.exclusive)
            else { return }
            _ = try remove(folder, key, in: shard)
        } catch {
            return
        }
    }

    /// Removes a source whose removal was deferred while somebody used it.
    ///
    /// - Returns: nil if the source stays.
    func sweep(_ key: SourceKey) throws(FetchError) -> Removal? {
        guard let shard = try root.existingFolder(key.shard),
            let folder = try shard.existingFolder(key.description),
            try entry(folder)?.isDoomed == true, try folder.lock(.exclusive)
        else { return nil }
        return try remove(folder, key, in: shard) ? .removed : nil
    }

    /// Renames an exclusively locked folder out of the way, then removes it.
    ///
    /// - Returns: `false` if another folder has the name now.
    func remove(
        _ folder: StoreFolder, _ key: SourceKey, in shard: StoreFolder
    ) throws(FetchError) -> Bool {
        guard let own = StoredFacts(folder.descriptor),
            try shard.facts(key.description)?.isSameFile(as: own) == true
        else { return false }
        let name = StoreFolder.freshName()
        let reason = shard.rename(key.description, to: trash, name)
        if reason == ENOENT { return false }
        guard reason == 0 else { throw .storage(path: folder.path, errno: reason) }
        try destroy(name, in: trash)
        // Keep the folder alive, because its lock ends with it.
        return withExtendedLifetime(folder) { true }
    }

    /// Removes a folder of the store with its files; moves foreign files unread to `quarantine`.
    func destroy(_ name: String, in parent: StoreFolder) throws(FetchError) {
        guard let folder = try parent.existingFolder(name) else { return }
        for file in try folder.names() {
            if try folder.facts(file)?.isFolder == true {
                try folder.move(file, to: quarantine)
            } else {
                try folder.unlink(file)
            }
        }
        _ = try parent.removeFolder(name)
    }
}
