internal import Foundation
internal import TakeupFiles
internal import TakeupLanes

/// One open source: what is here of it, and the one place where bytes are added.
///
/// One process writes; others read the same files and follow. All calls block and may come from any lane: reads run
/// beside each other and beside one write. Nobody evicts the source while this object lives.
public final class SourceFile: Sendable {
    /// What was written when a commit begins.
    ///
    /// One commit is under way and the next one fills: with the pieces that fill them, and with what the system had
    /// received and nobody had read, less than the 8 MiB that a kill may cost.
    public static let mostUncommittedBytes: Int64 = 3 << 20
    /// Seconds after which a write commits what there is.
    public static let mostUncommittedSeconds = 1.0
    /// Noted beside writes until the disk is waited for: what a power cut may cost.
    static let mostUnsyncedBytes: Int64 = 64 << 20
    /// Seconds until it is waited for in any case.
    static let mostUnsyncedSeconds = 5.0

    /// Ten milliseconds each.
    private static let mostTries = 500

    public let key: SourceKey
    /// For messages: without credentials and query.
    public let address: String
    /// nil when the store could not even open it.
    let folder: StoreFolder?
    let clock: @Sendable () -> Double
    let state: Locked<State>
    /// Held while something is written; taken before `state`, never after.
    let writing: Locked<Writing>
    /// The whole source's, as far as it was hashed while it came; nil when nobody asked for that.
    let hashing = Locked<Hashing?>(nil)
    /// What it is removed from at its end if nothing has come by then; nil leaves it there.
    private let emptied = Locked<SourceStore?>(nil)

    /// What readers see.
    struct State {
        var version: SourceVersion?
        var generation: Int64
        var map: BlockMap
        /// Of a playlist's stream; none for other sources.
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

    /// What the one who writes, or follows, goes on from.
    struct Writing {
        var journal: StoredFile
        /// Where the journal's next record goes, or is read from.
        var journalBytes: Int64
        var hasCompleteMark: Bool
        /// Open and locked while this process is the writer.
        var lock: StoredFile?
        var committedAt: Double
        /// When the disk was waited for.
        var syncedAt: Double

        init(_ files: SourceFiles, lock: StoredFile?, now: Double) {
            (journal, journalBytes) = (files.journal, Int64(files.content.byteCount))
            hasCompleteMark = files.content.hasCompleteMark
            (self.lock, committedAt, syncedAt) = (lock, now, now)
        }
    }

    // The folder is locked as used.
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

    /// Notes that the origin has given nothing: a source of which nothing is here goes with its last user.
    func goesIfEmpty(from store: SourceStore) {
        emptied.withLock { $0 = store }
    }

    /// Opens as the writer, or follows another one; waits while that has the lock and nothing to follow yet.
    ///
    /// It puts the source in order, or has just gone and left its lock to a child that is being started.
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

    /// A source of which nothing is kept, because of what the store failed with.
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

    /// - Returns: nil while another one writes.
    static func acquire(_ folder: StoreFolder) throws(FetchError) -> StoredFile? {
        guard let file = try folder.file(SourceLayout.lock, .making) else { return nil }
        do throws(FileError) {
            return try FileLock.acquire(.exclusive, on: file.descriptor) ? file : nil
        } catch {
            throw .storage(file.path, error)
        }
    }

    /// Opens what is there; the writer puts it in order first.
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

    /// A generation that was never there, even when the one before is not known any more.
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
