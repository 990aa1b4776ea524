internal import Foundation

/// Walks the cache's folders and its rows, and puts right where they differ.
///
/// Works on one folder of `objects` at a time, so that its memory is bounded and readers and writers go on.
struct Reconciler {
    let manifest: Manifest
    let store: LocalObjects
    private(set) var result = Reconciliation()

    init(_ store: LocalObjects, _ manifest: Manifest) {
        (self.store, self.manifest) = (store, manifest)
    }

    mutating func run() throws(CacheError) -> Reconciliation {
        try store.requirePlace()
        try sweepStaging()
        for name in try store.objects.names() {
            guard Self.isShard(name), try store.objects.facts(name)?.isFolder == true else {
                try store.objects.move(name, to: store.quarantine)
                result.quarantined += 1
                continue
            }
        }
        for number in 0..<256 {
            let digits = String(number, radix: 16)
            try reconcile(shard: number < 16 ? "0\(digits)" : digits)
        }
        result.removedQuarantined = try Quarantine.prune(
            store.quarantine, now: manifest.now())
        (result.removedOrphans, result.removedOrphanBytes) = try Quarantine.pruneOrphans(
            store.orphans, now: manifest.now())
        return result
    }

    private static func isShard(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.allSatisfy(ObjectName.isHexadecimal)
    }

    private mutating func reconcile(shard: String) throws(CacheError) {
        // Rows first: a row that comes later has its file, and a file that comes later is held.
        let rows = try manifest.entries(inShard: shard)
        result.entries += rows.count
        guard let folder = try store.objects.existingFolder(shard) else {
            for row in rows { try restoreOrDrop(row) }
            return
        }
        try fixPermissions(of: folder)
        var sizes: [String: Int64] = [:]
        for row in rows { sizes[row.object.fileName] = row.bytes }
        var present: Set<String> = []
        for name in try folder.names() {
            guard let facts = try folder.facts(name) else { continue }
            guard facts.isRegular, let object = ObjectName(fileName: name), object.shard == shard
            else {
                try quarantine(name, in: folder)
                continue
            }
            if facts.permissions != 0o600, try !fixPermissions(of: name, in: folder) {
                try setAside(name, facts, in: folder)
                continue
            }
            if sizes[name] == facts.bytes {
                present.insert(name)
            } else {
                try settle(object)
            }
        }
        for row in rows where !present.contains(row.object.fileName) { try restoreOrDrop(row) }
    }

    private mutating func restoreOrDrop(_ row: ManifestEntry) throws(CacheError) {
        if try store.bringBack(row.object, bytes: row.bytes) {
            result.restored += 1
        } else {
            try drop(row.object)
        }
    }

    /// Drops the rows whose file is missing or of another size, as it is now.
    private mutating func drop(_ object: ObjectName) throws(CacheError) {
        result.droppedRows += try manifest.dropRows(of: object, in: store)
    }

    /// Looks at a file again that differs from what the rows said, and sets it aside when none names it.
    private mutating func settle(_ object: ObjectName) throws(CacheError) {
        try drop(object)
        let removal = try store.remove(object, .setAside, if: { true }) { () throws(CacheError) in
            try manifest.isRecorded(object)
        }
        switch removal {
        case .removed: result.orphans += 1
        case .inUse: result.heldFiles += 1
        case .kept, .missing: break
        }
    }

    private mutating func quarantine(
        _ name: String, in folder: FolderHandle
    ) throws(CacheError) {
        let shard = String(folder.path.suffix(2))
        let isMoved = try store.withShard(shard) { (folder) throws(CacheError) in
            // A writer may have put a file in its place meanwhile.
            if try folder.facts(name)?.isRegular == true, ObjectName(fileName: name) != nil,
                name.hasPrefix(shard)
            {
                return false
            }
            try folder.move(name, to: store.quarantine)
            return true
        }
        if isMoved { result.quarantined += 1 }
    }

    /// Moves a file that cannot be opened out of the way, with the rows that name it still to be dropped.
    private mutating func setAside(
        _ name: String, _ facts: FileFacts, in folder: FolderHandle
    ) throws(CacheError) {
        let isMoved = try store.withShard(String(folder.path.suffix(2))) {
            (folder) throws(CacheError) in
            // A good file may have replaced it meanwhile.
            guard try folder.facts(name)?.isSameFile(as: facts) == true else { return false }
            try folder.move(name, to: store.quarantine)
            return true
        }
        if isMoved { result.quarantined += 1 }
    }

    /// Whether an error is about one file, which is set aside; any other ends the repair.
    static func isOfOneFile(_ error: CacheError) -> Bool {
        switch error {
        case .notWritable(_, EACCES), .notWritable(_, EPERM): true
        case .notWritable, .store, .foreign, .notKnown, .gone, .sharedFileSystem, .unsafe,
            .diskFull,
            .locked, .file, .objects, .ambiguous:
            false
        }
    }

    private mutating func fixPermissions(of folder: FolderHandle) throws(CacheError) {
        guard let facts = FileFacts(folder.descriptor), facts.permissions != 0o700 else { return }
        guard fchmod(folder.descriptor, 0o700) == 0 else {
            throw .failing("change", folder.path, errno)
        }
        result.fixedPermissions += 1
    }

    /// - Returns: `false` for a file that this user may not open or change.
    private mutating func fixPermissions(
        of name: String, in folder: FolderHandle
    ) throws(CacheError) -> Bool {
        do throws(CacheError) {
            guard let file = try folder.openFile(name) else { return true }
            defer { close(file) }
            guard fchmod(file, 0o600) == 0 else {
                throw .failing("change", "\(folder.path)/\(name)", errno)
            }
        } catch {
            guard Self.isOfOneFile(error) else { throw error }
            return false
        }
        result.fixedPermissions += 1
        return true
    }

    private mutating func sweep(_ name: String) throws(CacheError) {
        do throws(CacheError) {
            guard let hold = try store.seize(name, in: store.staging) else { return }
            try store.staging.unlink(name)
            withExtendedLifetime(hold) {}
            result.removedStaged += 1
        } catch {
            guard Self.isOfOneFile(error) else { throw error }
            try store.staging.move(name, to: store.quarantine)
            result.quarantined += 1
        }
    }

    /// Removes what writers that are gone have left: a living one holds its file.
    private mutating func sweepStaging() throws(CacheError) {
        for name in try store.staging.names() {
            guard try store.staging.facts(name)?.isRegular == true else {
                try store.staging.move(name, to: store.quarantine)
                result.quarantined += 1
                continue
            }
            try sweep(name)
        }
    }
}

extension LocalObjects {
    public func reconcile(with manifest: Manifest) throws(CacheError) -> Reconciliation {
        var reconciler = Reconciler(self, manifest)
        return try reconciler.run()
    }
}
