internal import TakeupLanes

/// A commit in two parts, so that bytes can be written while the disk works.
extension SourceFile {
    /// Says that a commit begins, when one is due.
    ///
    /// - Returns: The generation to commit; nil when none is due.
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

    /// Notes the whole blocks of a generation, so that a kill does not take them; nothing when it is gone meanwhile.
    ///
    /// Now and then it waits for the disk.
    /// - Throws: `FetchError.storage`, as `commit`.
    func finishCommit(_ generation: Int64) throws(FetchError) {
        guard status.generation == generation, passingCause == nil else { return }
        let blocks = try newBlocks()
        let journal = try writing.withLock { (writing) throws(FetchError) -> StoredFile? in
            let kept = state.withLock { state in
                // Blocks that were dropped meanwhile, or committed by the last write, stay as they are.
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
