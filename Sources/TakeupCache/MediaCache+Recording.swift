public import TakeupFiles
public import TakeupSQL

extension MediaCache {
    /// Gives a complete staged file its name among the objects; see `ObjectStore.place`.
    public func place(
        _ staged: PartialFile, as object: ObjectName
    ) throws(CacheError) -> ObjectFile {
        let isRecorded = try manifest.isRecorded(object, bytes: staged.byteCount)
        return try objects.place(staged, as: object, isRecorded: isRecorded)
    }

    /// Records a result whose file was placed, and adds its name.
    ///
    /// The first result of a work stays, unless it has expired or its file is damaged.
    ///
    /// - Parameters:
    ///   - entry: Its `object` and `bytes` are taken from the file.
    ///   - file: What `place` returned; held meanwhile, so that it stays until the row is there, and removed when
    ///     no row is going to name it.
    ///   - alias: A name to ask for it by; nil adds none.
    ///   - fence: Asked in the same transaction.
    /// - Throws: `CacheError`.
    /// - Returns: What stands under the key now, which may be an earlier result; nil when the fence does not
    ///   hold.
    public func record(
        _ entry: ManifestEntry, file: ObjectFile, alias: String?, if fence: SQLFence
    ) throws(CacheError) -> ManifestEntry? {
        var entry = entry
        (entry.object, entry.bytes) = (file.object, file.bytes)
        let earlier = try manifest.entry(key: entry.key)
        if let earlier, earlier.object != file.object { _ = try openDroppingDamaged(earlier) }
        let recorded = try manifest.record(
            entry, alias: alias, if: fence, expiresSeconds: limits.expiresSeconds)
        if recorded?.object != file.object {
            // Nobody will ever ask for it.
            try objects.discard(file) { () throws(CacheError) in
                try manifest.isRecorded(file.object)
            }
        }
        guard let recorded else { return nil }
        if recorded.object == file.object { try objects.confirm(file) }
        note(.publish, id: alias ?? recorded.id, recorded)
        if let earlier, earlier.object != recorded.object {
            // It has given way; somebody who still reads it leaves its file to `reconcile`.
            _ = try objects.remove(earlier.object, .unlinked, if: { true }) {
                () throws(CacheError) in try manifest.isRecorded(earlier.object)
            }
        }
        return recorded
    }
}
