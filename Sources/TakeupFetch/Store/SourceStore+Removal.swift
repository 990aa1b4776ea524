internal import Foundation
internal import TakeupFiles

extension SourceStore {
    /// What became of a source that shall go.
    public enum Removal: Sendable, Equatable {
        case removed
        /// Somebody has it open; it goes when it is looked for the next time after that.
        case deferred
        case pinned
        case missing
    }

    /// Removes a source, whatever is in it.
    ///
    /// - Throws: `FetchError.storage`.
    public func remove(_ key: SourceKey) throws(FetchError) -> Removal {
        guard let shard = try root.existingFolder(key.shard),
            try shard.facts(key.description)?.isFolder == true,
            let folder = try shard.existingFolder(key.description)
        else { return .missing }
        if try entry(folder)?.isPinned == true { return .pinned }
        guard try folder.lock(.exclusive) else {
            return try change(key) { $0.isDoomed = true } ? .deferred : .missing
        }
        return try remove(folder, key, in: shard) ? .removed : .missing
    }

    /// Removes a source of which nothing is here, whose folder is locked as used, unless somebody else uses or has pinned it.
    ///
    /// What cannot be removed stays for the next eviction.
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

    /// Removes a source that was to go while it was in use.
    ///
    /// - Returns: nil when it stays.
    func sweep(_ key: SourceKey) throws(FetchError) -> Removal? {
        guard let shard = try root.existingFolder(key.shard),
            let folder = try shard.existingFolder(key.description),
            try entry(folder)?.isDoomed == true, try folder.lock(.exclusive)
        else { return nil }
        return try remove(folder, key, in: shard) ? .removed : nil
    }

    /// Renames a folder that is locked exclusively out of the way, and then removes it.
    ///
    /// - Returns: `false` when the name leads to something else by now.
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
        // Its lock ends with it, and not before.
        return withExtendedLifetime(folder) { true }
    }

    /// Removes a folder of ours with its files; what is no file of ours goes to `quarantine` unread.
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
