internal import TakeupFiles

/// The result of a repair of the store.
public struct SourceRepair: Sendable, Equatable {
    /// Number of removed sources whose removal was deferred.
    public var removed = 0
    /// Number of foreign names and unreadable sources that were moved to quarantine.
    public var quarantined = 0
    /// Number of folders that a kill had left half created or half removed.
    public var leftovers = 0
}

extension SourceStore {
    /// Repairs the store's folders, for example at a start; leaves sources in use alone.
    ///
    /// Symbolic links are moved, never followed.
    ///
    /// - Throws: `FetchError.storage`.
    public func reconcile() throws(FetchError) -> SourceRepair {
        var repair = SourceRepair()
        for name in try root.names() where !["staging", "trash", "quarantine"].contains(name) {
            guard SourceKey.isShard(name), try root.facts(name)?.isFolder == true,
                let shard = try root.existingFolder(name)
            else {
                try root.move(name, to: quarantine)
                repair.quarantined += 1
                continue
            }
            for source in try shard.names() { try reconcile(source, in: shard, name, &repair) }
        }
        for parent in [staging, trash] {
            for name in try parent.names() { try empty(name, in: parent, &repair) }
        }
        return repair
    }

    private func reconcile(
        _ name: String, in shard: StoreFolder, _ shardName: String, _ repair: inout SourceRepair
    ) throws(FetchError) {
        guard let facts = try shard.facts(name) else { return }
        guard let key = SourceKey(name), key.shard == shardName, facts.isFolder,
            let folder = try shard.existingFolder(name)
        else {
            try shard.move(name, to: quarantine)
            repair.quarantined += 1
            return
        }
        guard try folder.lock(.exclusive) else { return }
        defer { withExtendedLifetime(folder) {} }
        for file in try folder.names() {
            if try isOurs(file, in: folder) { continue }
            if SourceLayout.isLeftover(file), try folder.facts(file)?.isRegular == true {
                try folder.unlink(file)
                repair.leftovers += 1
                continue
            }
            try folder.move(file, to: quarantine)
            repair.quarantined += 1
        }
        let isGood = try SourceFiles.open(folder, forWriting: false) != nil
        let isDoomed = try entry(folder)?.isDoomed ?? false
        if isDoomed {
            if try remove(folder, key, in: shard) { repair.removed += 1 }
        } else if !isGood {
            // The source may have another format, or one of its files is missing.
            try shard.move(name, to: quarantine)
            repair.quarantined += 1
        }
    }

    private func isOurs(_ name: String, in folder: StoreFolder) throws(FetchError) -> Bool {
        let isKnown =
            [SourceLayout.lock, SourceLayout.journal, SourceLayout.entry].contains(name)
            || SourceLayout.isData(name)
        guard isKnown else { return false }
        return try folder.facts(name)?.isRegular ?? true
    }

    private func empty(
        _ name: String, in parent: StoreFolder, _ repair: inout SourceRepair
    ) throws(FetchError) {
        guard try parent.facts(name)?.isFolder == true else {
            return try parent.unlink(name)
        }
        guard let folder = try parent.existingFolder(name), try folder.lock(.exclusive) else {
            return
        }
        try destroy(name, in: parent)
        withExtendedLifetime(folder) { repair.leftovers += 1 }
    }
}
