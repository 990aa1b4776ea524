internal import Foundation
internal import TakeupFiles

/// Watches one folder: finds files, waits until they are whole, and hands over those that are new.
///
/// Events say where to look, scans what is there. A folder that is missing has lost nothing. Confined to one lane.
public final class FolderWatcher {
    /// Between two looks at a folder that is missing, in seconds.
    public static let absentSeconds = 5.0
    /// Files that are waited for are looked at this often at least, in seconds: pauses are measured by it.
    static let lookSeconds = 1.0
    /// An obstacle that lasts for less may have been the end of a copy, in seconds.
    static let stuckSeconds = 3.0
    /// Until a file that could not be taken is tried again, in seconds.
    static let postponedSeconds = 10.0
    /// How long a file that stands still, with a container that is not complete and writers that cannot be known, is
    /// waited for, in seconds; then it is taken as it is, and its job says what is wrong with it.
    static let gapSeconds = 120.0
    /// A film waits for its sound and subtitles for so long at most after it stands still itself, in seconds.
    static let sideCarSeconds = 900.0
    /// Between two looks into such a file.
    static let gapLookSeconds = 10.0

    /// What is known of a file that nothing is to be done with now.
    struct Known {
        var identity: FileIdentity
        /// Describes what Takeup made from the file; the first scan checks this and then sets nil.
        var work: String?
        /// Whether it was looked into.
        var hasFacts = false
        /// The last scan that found it.
        var scan: Int
    }

    /// The side-cars in a folder as it was when it was listed.
    struct Neighbours {
        /// When the folder had changed, in seconds since 1970.
        let changed: Double
        let names: SideCars
    }

    /// Folders whose side-cars are remembered; more while more files wait.
    static let mostNeighbours = 64

    /// What is heard and seen of a file that is not whole yet.
    struct Pending {
        /// When it is looked at next.
        var dueAt: Double
        var wasClosed = false
        /// Why it is not taken though it stands still; nil for one that may still be growing.
        var obstacle: String? {
            didSet { if obstacle == nil { obstacleAt = .infinity } }
        }
        /// Time since which the obstacle exists.
        var obstacleAt = Double.infinity
        /// Time since which the file itself is unchanged; nil while it may grow.
        var stillAt: Double?
        /// Time since which the file is unchanged with an incomplete container; nil if the container is or may be complete.
        var gapAt: Double?
    }

    public var folder: String { root.path }
    /// Files that may still be growing.
    public var waitingFiles: Int { pending.count - stuckFiles }
    /// Files that stand still and could not be taken for some seconds: empty, held open, without their marker, unreadable.
    public var stuckFiles: Int {
        let since = clock.forward() - Self.stuckSeconds
        return pending.values.count { $0.obstacle != nil && $0.obstacleAt <= since }
    }
    /// Files that cannot be taken, and why.
    public var obstacles: [(path: String, reason: String)] {
        pending.compactMap { path, file in file.obstacle.map { (path.text, $0) } }
    }
    /// How long a file has to stand still at least, in seconds.
    public var stableSeconds: Double { stability.settings.stableSeconds }
    /// Files of which is known what became of them.
    public var knownFiles: Int { known.count }
    public internal(set) var mode: WatchMode
    /// Whether the folder was there at the last step.
    public private(set) var isAvailable = false
    /// Whether everything in it was looked at since the start.
    public var hasScanned: Bool { scans > 0 }
    /// Full scans since the start.
    public internal(set) var scans = 0
    /// Seconds that the last full scan took.
    public internal(set) var scanSeconds = 0.0
    /// How often the system lost events.
    public private(set) var overflows = 0

    let settings: FolderSettings
    let duties: WatchDelegate
    let ledger: WatchLedger
    let clock: WatchClock
    var root: WatchRoot
    var events: FolderEvents?
    var stability: StabilityClock
    var known: [ExactPath: Known] = [:]
    var pending: [ExactPath: Pending] = [:]
    /// Folders to be scanned with all below them.
    var dirty: Set<ExactPath> = []
    /// Folders on which a disk was mounted.
    var mounts: Set<ExactPath> = []
    /// When everything is scanned next.
    var scanAt = -Double.infinity
    /// Names that cannot be read, each told once.
    var toldUnreadable: Set<ExactPath> = []
    /// Folders that are not entered for what they are, each told once.
    var toldOwn: Set<ExactPath> = []
    /// The other files in the folders of waiting films, by folder.
    var neighbours: [ExactPath: Neighbours] = [:]
    /// The sound and subtitles that a film waits for.
    var waitedFor: [ExactPath: [String]] = [:]
    private var isAbsent = false

    /// - Parameters:
    ///   - folder: Absolute.
    ///   - settings: How it is watched.
    ///   - ledger: Knows what became of its files.
    ///   - clock: The present.
    ///   - duties: Everything that has to do with media and jobs.
    /// - Throws: `WatchError` for a folder that is no path, or a ledger that cannot be read.
    public init(
        _ folder: String, _ settings: FolderSettings, ledger: WatchLedger, clock: WatchClock,
        duties: WatchDelegate
    ) throws(WatchError) {
        (self.settings, self.ledger, self.clock, self.duties) = (settings, ledger, clock, duties)
        let memory = try ledger.memory(of: folder).flatMap {
            try? JSONDecoder().decode(RootMemory.self, from: Data($0.utf8))
        }
        root = try WatchRoot(folder, anchor: settings.anchor, memory: memory)
        (mode, stability) = Self.manner(of: folder, settings)
        let sketches = try ledger.sketches(in: root.path)
        known.reserveCapacity(sketches.count)
        for file in sketches {
            known[ExactPath(file.path)] = Known(
                identity: file.identity, work: file.work, hasFacts: file.hasFacts, scan: 0)
        }
        if mode == .events { listen() }
        duties.tell(.mode(mode))
    }

    /// Looks at what has to be looked at now.
    ///
    /// - Returns: When something is due next, on the forward clock.
    /// - Throws: `WatchError.store` when the ledger fails; the same is tried again by the next step.
    public func step() throws(WatchError) -> Double {
        do throws(WatchError) {
            let open = try root.open()
            try arrive(open)
            if clock.forward() >= scanAt { try scanAll(open) } else { try scanDirty(open) }
            try lookAtPending(open)
        } catch {
            switch error {
            case .unavailable, .failed: leave(error.reason)
            case .store, .file, .watchLimit, .unreadable: throw error
            }
            return clock.forward() + Self.absentSeconds
        }
        let next = pending.values.lazy.map(\.dueAt).min() ?? .infinity
        return dirty.isEmpty ? min(scanAt, next) : clock.forward()
    }

    /// Waits for events, and notes what they say.
    ///
    /// - Parameter seconds: At most.
    /// - Returns: `false` where there are no events: then the caller waits by itself.
    /// - Throws: `WatchError.failed`.
    public func wait(seconds: Double) throws(WatchError) -> Bool {
        guard let events else { return false }
        note(try events.wait(seconds: seconds))
        return true
    }

    private func note(_ hints: FolderHints) {
        for change in hints.changes where admits(ScanEntry(change.path, isFolder: false)) {
            let path = ExactPath(change.path)
            var entry = pending[path] ?? Pending(dueAt: 0)
            entry.wasClosed = change.isClosed
            // At once: by the next look it may have changed again.
            entry.dueAt = clock.forward()
            pending[path] = entry
        }
        let folders = hints.folders.filter { path in
            path.isEmpty || admits(ScanEntry(path, isFolder: true))
        }
        dirty.formUnion(folders.map { ExactPath($0) })
        // What has gone is seen by the next scan of all, which comes soon, and seldom where it takes long.
        if hints.goneFolders.contains(where: { admits(ScanEntry($0, isFolder: true)) }) {
            let seconds = max(Self.lookSeconds, 10 * scanSeconds)
            scanAt = min(scanAt, clock.forward() + seconds)
        }
        if hints.hasOverflowed { overflows += 1 }
        if hints.hasOverflowed || hints.rootHasGone {
            scanAt = -.infinity
            do throws(WatchError) { try events?.forgetAll() } catch { poll() }
        }
    }

    /// How a folder is watched, by the disk that it is on now.
    private static func manner(
        of folder: String, _ settings: FolderSettings
    ) -> (WatchMode, StabilityClock) {
        let network = FileSystemKind.network(folder)
        let mode = WatchMode.chosen(
            settings.mode, network: network, silent: FileSystemKind.withoutEvents(folder))
        let stability = StabilitySettings(
            isNetwork: network != nil, stableSeconds: settings.stableSeconds)
        return (mode, StabilityClock(stability))
    }

    func admits(_ entry: ScanEntry) -> Bool { duties.reasonToPassOver(entry) == nil }

    /// Takes events for hints; where the system has none left, scans have to do.
    func listen() {
        do throws(WatchError) {
            events = try FolderEvents()
        } catch {
            poll()
        }
    }

    func poll() {
        events = nil
        mode = .polling(.watchLimit)
        duties.tell(.mode(mode))
    }

    private func arrive(_ open: borrowing OpenRoot) throws(WatchError) {
        if open.isAnother || isAbsent {
            scanAt = -.infinity
            let before = mode
            (mode, stability) = Self.manner(of: folder, settings)
            events = nil
            if mode == .events { listen() }
            if mode != before { duties.tell(.mode(mode)) }
        }
        if isAbsent { duties.tell(.available) }
        (isAbsent, isAvailable) = (false, true)
        guard scanAt == -.infinity, let memory = root.memory,
            let text = try? JSONEncoder().encode(memory)
        else { return }
        try ledger.remember(String(decoding: text, as: UTF8.self), of: folder)
    }

    private func leave(_ reason: String) {
        if !isAbsent { duties.tell(.unavailable(reason: reason)) }
        (isAbsent, isAvailable) = (true, false)
        // How long they stood still is not known any more.
        (pending, dirty, toldUnreadable, waitedFor) = ([:], [], [], [:])
        toldOwn = []
        stability.forgetAll()
    }
}

extension ScanEntry {
    /// Creates the entry of a name from an event.
    init(_ path: String, isFolder: Bool) {
        self.init(path: path, name: Folder.lastName(of: path), isFolder: isFolder)
    }
}
