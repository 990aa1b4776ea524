extension MediaCache {
    /// Puts right where rows and files differ, as after a crash; for the start of a process.
    ///
    /// Others may read and write meanwhile.
    public func reconcile() throws(CacheError) -> Reconciliation {
        try objects.reconcile(with: manifest)
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
                        key: entry.key, id: entry.id, path: objects.path(of: entry.object),
                        kind: kind, isRepaired: repairing))
            }
            guard progress(index + 1, entries.count) else { break }
        }
        return damages
    }

    private func damage(of entry: ManifestEntry) throws(CacheError) -> (Damage.Kind, ObjectFile?)? {
        switch try objects.openOriginal(entry.object, bytes: entry.bytes) {
        case .missing: (.missing, nil)
        case .damaged: (.wrongSize, nil)
        case .found(let file): try objects.isWhole(file) ? nil : (.wrongContent, file)
        }
    }

    func repair(
        _ object: ObjectName, _ kind: Damage.Kind, _ file: ObjectFile?
    ) throws(CacheError) {
        switch kind {
        case .missing: _ = try dropDamaged(object)
        case .wrongSize:
            _ = try dropDamaged(object)
            try objects.clear(object)
            _ = try objects.remove(object, .setAside, if: { true }) { () throws(CacheError) in
                try manifest.isRecorded(object)
            }
        case .wrongContent:
            guard let file else { return }
            try objects.setAside(file) { () throws(CacheError) in
                try manifest.dropRows(of: object)
            }
        }
    }
}
