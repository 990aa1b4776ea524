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

    /// Brings the whole blocks of a generation to the disk; nothing when it is gone meanwhile.
    ///
    /// - Throws: `FetchError.storage`, as `commit`.
    func finishCommit(_ generation: Int64) throws(FetchError) {
        guard status.generation == generation, passingCause == nil else { return }
        let blocks = try synchronizeBlocks()
        try writing.withLock { (writing) throws(FetchError) in
            let kept = state.withLock { state in
                // Blocks that were dropped meanwhile, or committed by the last write, stay as they are.
                state.generation == generation
                    ? blocks.filter { state.map.full.contains($0.0) } : []
            }
            guard writing.lock != nil, !kept.isEmpty else { return }
            try note(kept, &writing, generation)
        }
    }
}
