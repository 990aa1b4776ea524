internal import Foundation
internal import TakeupFiles
internal import TakeupLanes

/// An open source: its stored bytes, and the only place that adds bytes.
///
/// One process writes; the others read the same files and follow. All calls block and may come from
/// any lane. Reads run in parallel with each other and with one write. The source is not evicted
/// while this object exists.
public final class SourceFile: Sendable {
    /// Number of uncommitted bytes that starts a commit.
    ///
    /// One commit runs while the next one fills. Both commits together, with unread bytes in system
    /// buffers, stay below the 8 MiB that a kill may cost.
    public static let mostUncommittedBytes: Int64 = 3 << 20
    /// Seconds after which a write commits the written bytes.
    public static let mostUncommittedSeconds = 1.0
    /// Highest number of recorded but unsynced bytes: the loss that a power cut may cause.
    static let mostUnsyncedBytes: Int64 = 64 << 20
    /// Seconds after which recorded blocks are synced in any case.
    static let mostUnsyncedSeconds = 5.0

    /// Number of tries, 10 milliseconds apart.
    private static let mostTries = 500

    public let key: SourceKey
    /// The address for messages, without credentials and query.
    public let address: String
    /// The source's folder; nil if the store could not open it.
    let folder: StoreFolder?
    let clock: @Sendable () -> Double
    let state: Locked<State>
    /// Held while something is written; take this lock before `state`, never after.
    let writing: Locked<Writing>
    /// The running digests of the whole source; nil if nobody has requested them.
    let hashing = Locked<Hashing?>(nil)
    /// The store from which the source is removed at its end if still empty; nil keeps the source.
    private let emptied = Locked<SourceStore?>(nil)

    /// The state that readers see.
    struct State {
        var version: SourceVersion?
        var generation: Int64
        var map: BlockMap
        /// The pieces of a playlist's stream; empty for other sources.
        var pieces: PieceSizes
        var data: StoredFile
        var isWriter: Bool
        var droppedBlocks = 0
        /// Set once the disk does not take the bytes.
        var passing: Passing?

        init(_ files: SourceFiles, isWriter: Bool) {
            self.isWriter = isWriter
            version = files.content.header.version
            generation = files.content.header.generation
            (map, pieces, data) = (files.content.map, files.content.pieces, files.data)
        }
    }

    /// The state of the writer or follower.
    struct Writing {
        var journal: StoredFile
        /// Offset of the journal's next record, for writing or reading.
        var journalBytes: Int64
        var hasCompleteMark: Bool
        /// Open and locked while this process is the writer.
        var lock: StoredFile?
        var committedAt: Double
        /// Time of the last sync.
        var syncedAt: Double

        init(_ files: SourceFiles, lock: StoredFile?, now: Double) {
            (journal, journalBytes) = (files.journal, Int64(files.content.byteCount))
            hasCompleteMark = files.content.hasCompleteMark
            (self.lock, committedAt, syncedAt) = (lock, now, now)
        }
    }

    // The caller has locked the folder as used.
    init(
        _ folder: StoreFolder, key: SourceKey, address: String,
        clock: @escaping @Sendable () -> Double
    ) throws(FetchError) {
        let (files, lock) = try Self.opened(folder, now: clock())
        (self.folder, self.key, self.address, self.clock) = (folder, key, address, clock)
        state = Locked(State(files, isWriter: lock != nil))
        writing = Locked(Writing(files, lock: lock, now: clock()))
    }

    deinit {
        let isEmpty = state.withLock {
            $0.isWriter && $0.version == nil && $0.map.present.isEmpty
        }
        guard isEmpty, let folder, let store = emptied.withLock({ $0 }) else { return }
        store.removeUnused(folder, key)
    }

    /// Marks the source for removal: if it is still empty, it goes with its last user.
    func goesIfEmpty(from store: SourceStore) {
        emptied.withLock { $0 = store }
    }

    /// Opens as the writer or follows another writer; waits while that writer holds the lock and
    /// has no files yet.
    ///
    /// The other process is repairing the source, or has ended and left its lock to a starting
    /// child process.
    private static func opened(
        _ folder: StoreFolder, now: Double
    ) throws(FetchError) -> (SourceFiles, lock: StoredFile?) {
        for _ in 0..<mostTries {
            if let lock = try acquire(folder) {
                return (try load(folder, isWriter: true, now: now), lock)
            }
            if let files = try SourceFiles.open(folder, forWriting: false) { return (files, nil) }
            usleep(10_000)
        }
        throw .storage(path: "\(folder.path)/\(SourceLayout.journal)", errno: ENOENT)
    }

    /// Creates a source that stores nothing, because of a store error.
    init(
        passing cause: FetchError, key: SourceKey, address: String,
        clock: @escaping @Sendable () -> Double
    ) {
        (folder, self.key, self.address, self.clock) = (nil, key, address, clock)
        let header = JournalHeader(
            generation: Self.fresh(after: 0, clock()), createdAt: clock())
        let none = StoredFile.none(path: address)
        let files = SourceFiles(journal: none, data: none, content: JournalContent(header))
        var state = State(files, isWriter: true)
        state.passing = Passing(cause: cause, droppedBytes: 0)
        self.state = Locked(state)
        writing = Locked(Writing(files, lock: nil, now: clock()))
    }

    /// - Returns: The lock; nil while another process writes.
    static func acquire(_ folder: StoreFolder) throws(FetchError) -> StoredFile? {
        guard let file = try folder.file(SourceLayout.lock, .making) else { return nil }
        do throws(FileError) {
            return try FileLock.acquire(.exclusive, on: file.descriptor) ? file : nil
        } catch {
            throw .storage(file.path, error)
        }
    }

    /// Opens the existing files; the writer repairs them first.
    static func load(
        _ folder: StoreFolder, isWriter: Bool, now: Double
    ) throws(FetchError) -> SourceFiles {
        let found = try SourceFiles.open(folder, forWriting: isWriter)
        guard isWriter else {
            if let found { return found }
            throw .storage(path: "\(folder.path)/\(SourceLayout.journal)", errno: 2)
        }
        guard let found else {
            return try SourceFiles.begin(
                folder, JournalHeader(generation: fresh(after: 0, now), createdAt: now))
        }
        try found.journal.truncate(to: Int64(found.content.byteCount))
        let name = SourceLayout.data(found.content.header.generation)
        try SourceFiles.removeOthers(folder, but: name)
        if let length = found.content.map.length, found.data.facts?.bytes ?? 0 > length {
            try found.data.truncate(to: length)
        }
        return found
    }

    /// Returns a generation that was never used, even if the previous generation is unknown.
    static func fresh(after generation: Int64, _ now: Double) -> Int64 {
        max(generation + 1, Int64(max(0, min(now, 1e12)) * 1e6))
    }

    public var status: SourceStatus {
        state.withLock { state in
            var version = state.version
            version?.length = state.map.length
            return SourceStatus(
                generation: state.generation, version: version, present: state.map.present,
                isWriter: state.isWriter, droppedBlocks: state.droppedBlocks,
                passedBytes: state.passing?.droppedBytes ?? 0,
                storageFailure: state.passing?.cause)
        }
    }
}
