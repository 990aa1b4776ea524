internal import TakeupFiles

extension MediaCache {
    /// Looks for a result and counts a hit or a miss.
    ///
    /// A row that has expired, or whose file is missing or holds something else, is a miss; the latter is dropped.
    ///
    /// - Parameters:
    ///   - name: One of its names, its key, or the beginning of its key.
    ///   - isReadInParts: Whether `countRead` tells what this use saves; otherwise it saves the whole result.
    /// - Returns: The entry and its file, which stays while it is held; nil for a miss.
    /// - Throws: `CacheError.ambiguous` for a beginning that several keys have.
    public func lookup(
        _ name: String, isReadInParts: Bool = false
    ) throws(CacheError) -> CachedResult? {
        try answer(manifest.entry(named: name), name: name, isReadInParts: isReadInParts)
    }

    /// Counts bytes that were sent of a result whose use `lookup` has counted.
    public func countRead(_ bytes: Int64, of result: CachedResult) throws(CacheError) {
        guard !manifest.isReadOnly, bytes > 0 else { return }
        try manifest.countRead(bytes, of: result.entry)
    }

    /// Looks for the result of a work by its whole key, as `lookup(_:)` does by a name.
    public func lookup(key: String) throws(CacheError) -> CachedResult? {
        try answer(manifest.entry(key: key), name: key)
    }

    private func answer(
        _ entry: ManifestEntry?, name: String, isReadInParts: Bool = false
    ) throws(CacheError) -> CachedResult? {
        if let entry, !entry.isExpired(now: now, expiresSeconds: limits.expiresSeconds),
            let file = try openDroppingDamaged(entry),
            let counted = try countHit(
                entry, saving: isReadInParts ? 0 : entry.bytes)
        {
            note(.hit, id: name, counted)
            return CachedResult(entry: counted, file: file)
        }
        if !manifest.isReadOnly { try manifest.countMiss() }
        note(.miss, id: name)
        return nil
    }

    /// Where a result can be read without this machine.
    public enum ResultAddress: Sendable, Equatable {
        /// For whoever has it, until it ends.
        case address(String)
        /// The store's objects have no address.
        case noAddress
    }

    /// Gives out the address of a result and counts a hit or a miss; reads nothing of it.
    ///
    /// - Parameters:
    ///   - name: As for `lookup(_:)`.
    ///   - seconds: How long the address lives.
    /// - Returns: nil for a miss.
    /// - Throws: `CacheError`.
    public func address(
        of name: String, seconds: Int
    ) throws(CacheError) -> ResultAddress? {
        if let entry = try manifest.entry(named: name),
            !entry.isExpired(now: now, expiresSeconds: limits.expiresSeconds)
        {
            guard let address = try objects.address(of: entry.object, seconds: seconds) else {
                return .noAddress
            }
            if try objects.size(of: entry.object) == entry.bytes {
                note(.hit, id: name, try countHit(entry, saving: entry.bytes))
                return .address(address)
            }
            if !objects.isReadOnly { _ = try dropDamaged(entry.object) }
        }
        if !manifest.isReadOnly { try manifest.countMiss() }
        note(.miss, id: name)
        return nil
    }

    private func countHit(
        _ entry: ManifestEntry, saving bytes: Int64
    ) throws(CacheError) -> ManifestEntry? {
        manifest.isReadOnly ? entry : try manifest.countHit(entry, saving: bytes)
    }

    /// - Returns: The entry's file; nil when there is none that is good.
    private func openUnchanged(_ entry: ManifestEntry) throws(CacheError) -> ObjectFile? {
        guard case .found(let file) = try objects.open(entry.object, bytes: entry.bytes),
            try isUnchanged(file)
        else { return nil }
        return file
    }

    /// - Returns: The entry's file; nil when there is none that is good, and then the row is gone.
    func openDroppingDamaged(_ entry: ManifestEntry) throws(CacheError) -> ObjectFile? {
        if objects.isReadOnly { return try openUnchanged(entry) }
        // Twice: a file that is being replaced has no name for a moment.
        for _ in 0..<2 {
            switch try objects.open(entry.object, bytes: entry.bytes) {
            case .found(let file):
                if try isUnchanged(file) { return file }
                try repair(entry.object, .wrongContent, file)
                return nil
            case .missing:
                if try objects.bringBack(entry.object, bytes: entry.bytes) { continue }
                if try dropDamaged(entry.object) { return nil }
            case .damaged:
                if try dropDamaged(entry.object) { return nil }
            }
        }
        return nil
    }

    /// Whether a file still holds what its name says; one that nobody has touched since it was hashed is not read again.
    private func isUnchanged(_ file: ObjectFile) throws(CacheError) -> Bool {
        let identity = FileIdentity(descriptor: file.descriptor)
        if let identity, try manifest.digest(of: identity) == file.object.sha256 { return true }
        guard try objects.isWhole(file) else { return false }
        if let identity, !manifest.isReadOnly {
            try manifest.remember(file.object.sha256, of: identity)
        }
        return true
    }

    /// - Returns: Whether a row named a file that is missing or of another size; none does any more.
    func dropDamaged(_ object: ObjectName) throws(CacheError) -> Bool {
        try manifest.dropRows(of: object, in: objects) > 0
    }
}

extension MediaCache {
    /// Finds the result of a work, by its whole key, for those who made it themselves: nothing is counted.
    ///
    /// - Returns: nil when there is none, or none that is good.
    /// - Throws: `CacheError`.
    public func find(key: String) throws(CacheError) -> CachedResult? {
        guard let entry = try manifest.entry(key: key),
            let file = try openDroppingDamaged(entry)
        else { return nil }
        return CachedResult(entry: entry, file: file)
    }
}
