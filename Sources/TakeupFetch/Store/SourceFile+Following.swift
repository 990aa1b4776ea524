internal import TakeupLanes

extension SourceFile {
    /// Loads what the writer, in another process, has committed since the last call.
    ///
    /// - Returns: Whether there was anything new; always `false` for the writer itself.
    /// - Throws: `FetchError.storage`.
    public func refresh() throws(FetchError) -> Bool {
        try writing.withLock { (writing) throws(FetchError) in
            guard writing.lock == nil, passingCause == nil, let folder else { return false }
            let named = try folder.facts(SourceLayout.journal)
            guard let own = writing.journal.facts, named?.isSameFile(as: own) == true,
                own.bytes >= writing.journalBytes
            else {
                try reload(&writing, lock: nil)
                return true
            }
            return try readOn(&writing, to: own.bytes)
        }
    }

    private func readOn(_ writing: inout Writing, to end: Int64) throws(FetchError) -> Bool {
        let bytes = try writing.journal.read(
            Int(end - writing.journalBytes), at: writing.journalBytes)
        return state.withLock { state in
            let records = JournalContent.records(bytes, from: 0, state.generation)
            for record in records {
                state.map.apply(record)
                state.pieces.apply(record)
            }
            writing.journalBytes += Int64(records.count * JournalRecord.byteCount)
            return !records.isEmpty
        }
    }

    /// Becomes the writer if no writer exists any more.
    ///
    /// - Returns: Whether this process is the writer now.
    /// - Throws: `FetchError.storage`.
    public func takeOver() throws(FetchError) -> Bool {
        try writing.withLock { (writing) throws(FetchError) in
            if writing.lock != nil || passingCause != nil { return true }
            guard let folder, let lock = try Self.acquire(folder) else { return false }
            try reload(&writing, lock: lock)
            return true
        }
    }

    private func reload(_ writing: inout Writing, lock: StoredFile?) throws(FetchError) {
        guard let folder else { return }
        let files = try Self.load(folder, isWriter: lock != nil, now: clock())
        writing = Writing(files, lock: lock, now: clock())
        state.withLock { state in
            let dropped = state.droppedBlocks
            state = State(files, isWriter: lock != nil)
            state.droppedBlocks = dropped
        }
    }
}
