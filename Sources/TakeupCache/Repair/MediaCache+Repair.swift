extension MediaCache {
    /// Puts right where rows and files differ, as after a crash; for the start of a process.
    ///
    /// Others may read and write meanwhile.
    public func reconcile() throws(CacheError) -> Reconciliation {
        var reconciler = Reconciler(self)
        return try reconciler.run()
    }

    /// Hashes every file again.
    ///
    /// - Parameters:
    ///   - repairing: Whether damaged entries are removed, rather than told alone.
    ///   - progress: Called after each entry with how many are done, and of how many; `false` ends the work.
    /// - Throws: `CacheError`.
    /// - Returns: What is damaged.
    public func verify(
        repairing: Bool, progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(CacheError) -> [Damage] {
        var damages: [Damage] = []
        let entries = try manifest.entries()
        for (index, entry) in entries.enumerated() {
            if let (kind, file) = try damage(of: entry),
                try manifest.entry(key: entry.key) != nil
            {
                if repairing { try repair(entry.object, kind, file) }
                damages.append(
                    Damage(
                        key: entry.key, id: entry.id, path: directory.path(of: entry.object),
                        kind: kind, isRepaired: repairing))
            }
            guard progress(index + 1, entries.count) else { break }
        }
        return damages
    }

    private func damage(of entry: ManifestEntry) throws(CacheError) -> (Damage.Kind, ObjectFile?)? {
        switch try directory.open(entry.object, bytes: entry.bytes) {
        case .missing: (.missing, nil)
        case .damaged: (.wrongSize, nil)
        case .found(let file): try directory.isWhole(file) ? nil : (.wrongContent, file)
        }
    }

    func repair(
        _ object: ObjectName, _ kind: Damage.Kind, _ file: ObjectFile?
    ) throws(CacheError) {
        switch kind {
        case .missing: _ = try dropDamaged(object)
        case .wrongSize:
            _ = try dropDamaged(object)
            try directory.clear(object) { _ in false }
            _ = try directory.remove(object, .setAside) { () throws(CacheError) in
                try manifest.isRecorded(object)
            }
        case .wrongContent:
            let bad = file.flatMap { FileFacts($0.descriptor) }
            try directory.withShard(object.shard) { (folder) throws(CacheError) in
                // A good file may have replaced it meanwhile.
                guard let bad, try folder.facts(object.fileName)?.isSameFile(as: bad) == true
                else { return }
                // Those who read it go on reading it; its name must not stay. Moved, and first: a disk that gives
                // nothing back for now, because it is not there, refuses that, and then nothing is lost.
                try folder.move(object.fileName, to: directory.quarantine)
                try manifest.dropRows(of: object)
            }
        }
    }
}
