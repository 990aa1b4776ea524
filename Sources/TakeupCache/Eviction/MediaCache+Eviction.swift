extension MediaCache {
    /// How the removal of an entry ended.
    public enum Removal: Sendable, Equatable {
        case removed(bytes: Int64)
        case pinned
        /// Somebody reads it; try again.
        case inUse
        case unknown
    }

    /// Brings the cache within its limits.
    ///
    /// - Parameter isDryRun: Changes nothing and tells what would go.
    /// - Throws: `CacheError`.
    /// - Returns: Every entry that was chosen, why, and what became of it.
    @discardableResult
    public func clean(isDryRun: Bool = false) throws(CacheError) -> [Eviction] {
        try evict(needBytes: 0, isDryRun: isDryRun)
    }

    /// Frees space for work that is about to start.
    ///
    /// - Parameter bytes: What it will take at most, at least 0.
    /// - Throws: `CacheError`.
    /// - Returns: Whether so much is free besides the floor; when it cannot be, nothing went for it.
    public func makeRoom(bytes: Int64) throws(CacheError) -> Bool {
        precondition(bytes >= 0, "room must not be negative")
        if try hasRoom(bytes) { return true }
        let (wanted, _) = bytes.addingReportingOverflow(limits.minFreeBytes)
        try objects.freeCopies(bytes: max(wanted, 0))
        if try hasRoom(bytes) { return true }
        try evict(needBytes: bytes, isDryRun: false)
        return try hasRoom(bytes)
    }

    private func hasRoom(_ bytes: Int64) throws(CacheError) -> Bool {
        let (left, isTooLittle) = try objects.freeBytes()
            .subtractingReportingOverflow(limits.minFreeBytes)
        return !isTooLittle && left >= bytes
    }

    /// Removes one entry whatever the limits say.
    ///
    /// - Parameter name: As for `lookup(_:)`.
    /// - Throws: `CacheError.ambiguous`, besides others.
    /// - Returns: What became of it.
    public func remove(_ name: String) throws(CacheError) -> Removal {
        guard let entry = try manifest.entry(named: name) else { return .unknown }
        if entry.isPinned { return .pinned }
        switch try evict(entry) {
        case .removed: return .removed(bytes: entry.bytes)
        case .inUse, .planned: return .inUse
        case .kept: return try manifest.entry(key: entry.key) == nil ? .unknown : .inUse
        }
    }

    @discardableResult
    private func evict(needBytes: Int64, isDryRun: Bool) throws(CacheError) -> [Eviction] {
        var done: [Eviction] = []
        var known = (held: Set<String>(), looksAtLinks: false)
        // Each round names entries that were not named before, so it ends.
        while true {
            let (held, looksAtLinks) = (known.held, known.looksAtLinks)
            // The real free space, every time: files may share blocks, and then free less than their size.
            let victims = try victims(
                freeBytes: try objects.freeBytes(), needBytes: needBytes
            ) { (candidate) throws(CacheError) in
                candidate.isInUse = held.contains(candidate.key)
                if looksAtLinks { candidate.freesSpace = try freesSpace(candidate) }
            }
            if !looksAtLinks {
                known.looksAtLinks = try holdsShared(victims)
                if known.looksAtLinks { continue }
            }
            for victim in victims {
                guard let entry = try manifest.entry(key: victim.candidate.key) else { continue }
                let isRead = entry.lastAccessAt > victim.candidate.lastAccessAt
                let outcome: Eviction.Outcome =
                    isDryRun ? .planned : isRead ? .kept : try evict(entry)
                if outcome != .removed { known.held.insert(entry.key) }
                done.append(
                    Eviction(
                        key: entry.key, id: entry.id, bytes: entry.bytes, reason: victim.reason,
                        outcome: outcome))
            }
            if victims.isEmpty || isDryRun { return done }
        }
    }

    /// What has to go; looks at the first ones that may, and at all where these are not enough to tell.
    private func victims(
        freeBytes: Int64, needBytes: Int64,
        _ complete: (inout EvictionPolicy.Candidate) throws(CacheError) -> Void
    ) throws(CacheError) -> [EvictionPolicy.Victim] {
        let policy = EvictionPolicy(limits: limits)
        if var part = try manifest.firstCandidates(limits, most: Self.firstCandidates) {
            try part.change(complete)
            let victims = policy.victims(
                among: part, now: now, freeBytes: freeBytes, needBytes: needBytes)
            if let victims { return victims }
        }
        var candidates = try manifest.candidates()
        for index in candidates.indices { try complete(&candidates[index]) }
        return policy.victims(
            among: candidates, now: now, freeBytes: freeBytes, needBytes: needBytes)
    }

    /// Of each kind, as many as one result nearly always makes room with.
    private static let firstCandidates = 100

    /// Whether an entry would go for space that it does not free.
    private func holdsShared(_ victims: [EvictionPolicy.Victim]) throws(CacheError) -> Bool {
        for victim in victims where victim.reason == .lowSpace {
            if try !freesSpace(victim.candidate) { return true }
        }
        return false
    }

    /// Whether nobody else has a name for the file: a hard link keeps its blocks.
    private func freesSpace(
        _ candidate: EvictionPolicy.Candidate
    ) throws(CacheError) -> Bool {
        let (sha256, kind) = (candidate.content.prefix(64), candidate.content.dropFirst(64))
        guard let kind = ObjectName.FileExtension(rawValue: String(kind)),
            let object = ObjectName(sha256: String(sha256), fileExtension: kind)
        else { return true }
        return try objects.freesSpace(object)
    }

    /// Row and file of one entry go together; after a crash in between, `reconcile` finds a file without a row.
    private func evict(_ entry: ManifestEntry) throws(CacheError) -> Eviction.Outcome {
        var isEvicted = false
        let removal = try objects.remove(
            entry.object, .unlinked,
            if: { () throws(CacheError) in
                isEvicted = try manifest.evict(entry)
                if isEvicted { note(.evict, id: entry.id, entry) }
                return isEvicted
            },
            unless: { () throws(CacheError) in try manifest.isRecorded(entry.object) })
        return switch removal {
        case .missing: try dropDamaged(entry.object) ? .removed : .kept
        case .inUse: .inUse
        // Its row is gone, also where another one names the same file.
        case .removed, .kept: isEvicted ? .removed : .kept
        }
    }
}
