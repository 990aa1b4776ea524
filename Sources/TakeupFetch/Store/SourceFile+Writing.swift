internal import Foundation
internal import TakeupFiles
internal import TakeupLanes

extension SourceFile {
    /// The effect of binding to a version.
    public enum Binding: Sendable, Equatable {
        /// The stored bytes belong to the version and stay.
        case kept
        /// Another generation begins without any bytes.
        case startedOver
    }

    /// Binds the file to the version of the bytes that are written from now on.
    ///
    /// Bytes of another version are discarded; their readers get `.changed`.
    ///
    /// - Parameter version: The version; a nil length contradicts no length.
    /// - Returns: Whether the stored bytes stay.
    /// - Throws: `FetchError` with `.storage`; `.invalidResponse` if the validator or length
    ///   exceeds its limit.
    public func bind(_ version: SourceVersion) throws(FetchError) -> Binding {
        guard version.validator.utf8.count <= SourceVersion.mostValidatorBytes,
            (0...BlockMap.mostBytes).contains(version.length ?? 0)
        else { throw .invalidResponse("a validator or length beyond all bounds", address: address) }
        return try writing.withLock { (writing) throws(FetchError) in
            if let binding = bindPassing(version) { return binding }
            writing.requireWriter()
            guard try keep(version, &writing) else {
                try startOver(version, &writing)
                return .startedOver
            }
            return .kept
        }
    }

    /// Discards every byte, and the version.
    ///
    /// - Throws: `FetchError.storage`.
    public func discard() throws(FetchError) {
        try writing.withLock { (writing) throws(FetchError) in
            if bindPassing(nil) != nil { return }
            writing.requireWriter()
            try startOver(nil, &writing)
        }
    }

    /// - Returns: `false` for another version.
    private func keep(
        _ version: SourceVersion, _ writing: inout Writing
    ) throws(FetchError) -> Bool {
        let (known, map, generation) = state.withLock { ($0.version, $0.map, $0.generation) }
        guard let known, known.validator == version.validator else { return false }
        guard let length = version.length, map.length != length else { return true }
        var learnt = map
        guard learnt.learn(length) else { return false }
        try writing.append([.length(length)], generation: generation)
        state.withLock { _ = $0.map.learn(length) }
        // An empty source is already complete.
        try commit(&writing)
        return true
    }

    private func startOver(
        _ version: SourceVersion?, _ writing: inout Writing
    ) throws(FetchError) {
        let (before, now) = (state.withLock { $0.generation }, clock())
        let header = JournalHeader(
            generation: Self.fresh(after: before, now), createdAt: now, version: version)
        guard let folder else { throw .storage(path: address, errno: ENOENT) }
        let files = try SourceFiles.begin(folder, header)
        state.withLock { $0 = State(files, isWriter: true) }
        writing = Writing(files, lock: writing.lock, now: now)
        if version?.length == 0 { try commit(&writing) }
    }

    /// Stores bytes; bytes that are already present stay as they are.
    ///
    /// A commit follows once enough bytes or seconds have accumulated.
    ///
    /// - Parameters:
    ///   - bytes: Bytes of the bound version.
    ///   - offset: Offset of the first byte.
    ///   - generation: The bound generation (`status`).
    ///   - leavesCommits: Whether to commit only when every byte is present; the caller does all
    ///     other commits.
    /// - Throws: `FetchError` with `.changed`; `.invalidResponse` for bytes beyond the end;
    ///   `.storage`: bytes that could not be written do not count as present.
    public func write(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, generation: Int64,
        leavesCommits: Bool = false
    ) throws(FetchError) {
        try writing.withLock { (writing) throws(FetchError) in
            let (gaps, data) = try room(for: bytes.count, at: offset, generation)
            if passOn(bytes, at: offset, gaps) { return }
            writing.requireWriter()
            for gap in gaps {
                let part = Int(gap.lowerBound - offset)..<Int(gap.upperBound - offset)
                try data.write(UnsafeRawBufferPointer(rebasing: bytes[part]), at: gap.lowerBound)
                state.withLock { $0.map.insert(gap) }
            }
            let isAllHere = state.withLock { $0.map.length == $0.map.present.byteCount }
            if isAllHere || !leavesCommits && isCommitDue(writing) { try commit(&writing) }
        }
    }

    /// Returns whether enough bytes or seconds have accumulated since the last commit.
    func isCommitDue(_ writing: Writing) -> Bool {
        let uncommitted = state.withLock { $0.map.uncommittedBytes }
        let age = clock() - writing.committedAt
        // If the clock was set back, commit at once.
        return uncommitted >= Self.mostUncommittedBytes
            || !(0..<Self.mostUncommittedSeconds).contains(age)
    }

    private func room(
        for count: Int, at offset: Int64, _ generation: Int64
    ) throws(FetchError) -> ([Range<Int64>], StoredFile) {
        try state.withLock { (state) throws(FetchError) in
            guard state.generation == generation else { throw .changed(address: address) }
            precondition(state.version != nil, "bytes are written after `bind`")
            let most = state.map.length ?? BlockMap.mostBytes
            guard offset >= 0, offset <= most, Int64(count) <= most - offset else {
                throw .invalidResponse("bytes behind the end", address: address)
            }
            let plan = RangePlan(
                read: offset..<(offset + Int64(count)), present: state.map.present)
            return (plan.originRanges, state.data)
        }
    }

    /// Commits every whole block to disk, so that it survives a kill or a power cut.
    ///
    /// - Throws: `FetchError.storage`; if the disk did not take the bytes, uncommitted bytes are
    ///   forgotten.
    public func commit() throws(FetchError) {
        try writing.withLock { (writing) throws(FetchError) in
            guard passingCause == nil else { return }
            writing.requireWriter()
            try commit(&writing)
        }
    }

    private func commit(_ writing: inout Writing) throws(FetchError) {
        let generation = state.withLock { $0.generation }
        writing.committedAt = clock()
        let blocks = try newBlocks()
        state.withLock { $0.map.endCommit() }
        try note(blocks, &writing, generation)
        try synchronize(writing.journal, generation)
        writing.syncedAt = clock()
        guard state.withLock({ $0.map.isComplete }), !writing.hasCompleteMark else { return }
        try writing.append([.complete], generation: generation)
        writing.hasCompleteMark = true
    }

    /// Records written blocks in the journal.
    func note(
        _ blocks: [(UInt32, StoredBlock)], _ writing: inout Writing, _ generation: Int64
    ) throws(FetchError) {
        try writing.append(
            blocks.map { JournalRecord.block($0.0, $0.1) }, generation: generation,
            isSynced: false)
        state.withLock { state in
            for (block, stored) in blocks { state.map.note(block, stored) }
        }
    }
}

extension SourceFile {
    /// Waits until all recorded blocks of a generation are on disk.
    func synchronize(_ journal: StoredFile, _ generation: Int64) throws(FetchError) {
        let (blocks, data) = state.withLock { ($0.map.unsynced, $0.data) }
        guard !blocks.isEmpty else { return }
        do throws(FetchError) {
            try data.synchronize()
            try journal.synchronize()
        } catch {
            // The system may have dropped the unwritten pages, and reports a failure only once. The
            // next opening compares the recorded blocks with their checksums.
            state.withLock { state in
                if state.generation == generation { state.map.dropUnsynced() }
            }
            forgetHash()
            throw error
        }
        state.withLock { state in
            if state.generation == generation { state.map.markSynced(blocks) }
        }
    }

    /// Computes the checksums of the whole blocks that are not recorded yet.
    func newBlocks() throws(FetchError) -> [(UInt32, StoredBlock)] {
        let (map, data, generation) = state.withLock { ($0.map, $0.data, $0.generation) }
        // Start writing to disk before reading; a slow disk then does not delay the receiver of
        // bytes.
        for range in RangeSet(map.full.map(map.range(of:))).ranges {
            WriteBack.begin(data.descriptor, range)
        }
        var blocks: [(UInt32, StoredBlock)] = []
        for block in map.full.sorted() {
            let range = map.range(of: block)
            guard let bytes = try data.whole(range) else {
                state.withLock { $0.map.drop(block) }
                forgetHash()
                continue
            }
            hash(bytes, at: range.lowerBound, generation: generation)
            blocks.append((block, StoredBlock(bytes)))
        }
        return blocks
    }
}

extension SourceFile.Writing {
    func requireWriter() {
        precondition(lock != nil, "only the writer of a source changes it")
    }

    /// Appends records to the journal and, by default, syncs them to disk.
    ///
    /// After a failure, the next append overwrites the remains.
    mutating func append(
        _ records: [JournalRecord], generation: Int64, isSynced: Bool = true
    ) throws(FetchError) {
        guard !records.isEmpty else { return }
        let bytes = records.flatMap { $0.bytes(generation: generation) }
        let place = journalBytes
        let journal = journal
        var failure: FetchError?
        bytes.withUnsafeBytes { bytes in
            do throws(FetchError) {
                try journal.write(bytes, at: place)
                if isSynced { try journal.synchronize() }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        journalBytes += Int64(bytes.count)
    }
}
