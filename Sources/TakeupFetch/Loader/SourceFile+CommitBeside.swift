internal import TakeupLanes

/// Splits a commit into two parts, so that bytes can be written while the disk works.
extension SourceFile {
    /// Begins a commit if one is due.
    ///
    /// - Returns: The generation to commit; nil if none is due.
    func beginCommit() -> Int64? {
        writing.withLock { writing in
            guard writing.lock != nil, passingCause == nil, isCommitDue(writing) else { return nil }
            writing.committedAt = clock()
            return state.withLock { state in
                state.map.endCommit()
                return state.generation
            }
        }
    }

    /// Records the whole blocks of a generation in the journal, so that they survive a kill;
    /// ignores an old generation.
    ///
    /// From time to time, it also waits for the disk.
    /// - Throws: `FetchError.storage`, like `commit`.
    func finishCommit(_ generation: Int64) throws(FetchError) {
        guard status.generation == generation, passingCause == nil else { return }
        let blocks = try newBlocks()
        let journal = try writing.withLock { (writing) throws(FetchError) -> StoredFile? in
            let kept = state.withLock { state in
                // Blocks that were dropped or committed since then stay as they are.
                state.generation == generation
                    ? blocks.filter { state.map.full.contains($0.0) } : []
            }
            guard writing.lock != nil, !kept.isEmpty else { return nil }
            try note(kept, &writing, generation)
            guard isSyncDue(writing) else { return nil }
            writing.syncedAt = clock()
            return writing.journal
        }
        if let journal { try synchronize(journal, generation) }
    }

    private func isSyncDue(_ writing: Writing) -> Bool {
        let blocks = state.withLock { $0.map.unsynced.count }
        return Int64(blocks) * BlockMap.blockBytes >= Self.mostUnsyncedBytes
            || !(0..<Self.mostUnsyncedSeconds).contains(clock() - writing.syncedAt)
    }
}
