internal import Foundation

/// The system's events about folders, as hints where to look.
///
/// Confined to one lane. Watched for are names that come, go, change their rights, or whose writer has closed them. Writing itself is not: a
/// copy would wake the watcher for each of its writes and tell nothing, because only the end counts, which has an event of
/// its own; files that are written to without being closed are found by scans. So are disks that are mounted below the
/// root, and what is changed where this machine cannot see it.
public final class FolderEvents {
    // Folders and hard links give IN_CREATE alone, and a file that becomes readable IN_ATTRIB. A folder's own end is
    // told by the folder around it; only the root has none that is watched.
    private static let kinds: InotifyEvent.Kinds = [
        .closedAfterWriting, .movedTo, .movedFrom, .created, .deleted, .attributes, .onlyFolders,
        .notUnlinked,
    ]
    private static let rootKinds = kinds.union([.deletedItself, .movedItself])
    private static let bufferBytes = 65_536
    /// Buffers that are read in one wait, so that a flood does not keep it from returning.
    private static let mostReads = 64

    private var inotify: Int32 = -1
    private var table = WatchTable()
    private var hints: HintCollector
    private let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: bufferBytes, alignment: 8)

    /// - Throws: `WatchError.watchLimit` when this user watches too much already.
    public convenience init() throws(WatchError) {
        try self.init(collecting: HintCollector())
    }

    init(collecting hints: HintCollector) throws(WatchError) {
        self.hints = hints
        do throws(WatchError) {
            try forgetAll()
        } catch {
            buffer.deallocate()
            throw error
        }
    }

    deinit {
        if inotify >= 0 { close(inotify) }
        buffer.deallocate()
    }

    /// Folders that are armed now.
    public var armedFolders: Int { table.count }

    /// Watches a folder; one that is watched already stays so.
    ///
    /// - Parameters:
    ///   - path: From the root on; empty for the root itself.
    ///   - descriptor: The open folder, as `ScanFinding.folder` has it.
    /// - Throws: `WatchError.watchLimit` when the system watches no more for this user, else `failed`.
    public func arm(_ path: String, descriptor: Int32) throws(WatchError) {
        let kinds = path.isEmpty ? Self.rootKinds : Self.kinds
        // By its descriptor: the path may lead elsewhere by now.
        let watch = inotify_add_watch(inotify, "/proc/self/fd/\(descriptor)", kinds.rawValue)
        guard watch >= 0 else {
            let reason = errno
            throw reason == ENOSPC ? .watchLimit(path: path) : .failed(path: path, errno: reason)
        }
        for stale in table.insert(watch, path) { inotify_rm_watch(inotify, stale) }
    }

    /// Watches nothing any more, as before another root is armed.
    ///
    /// - Throws: `WatchError.watchLimit` when this user watches too much.
    public func forgetAll() throws(WatchError) {
        if inotify >= 0 { close(inotify) }
        table = WatchTable()
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard inotify < 0 else { return }
        let reason = errno
        throw reason == EMFILE || reason == ENOSPC
            ? .watchLimit(path: "") : .failed(path: "inotify", errno: reason)
    }

    /// Waits until something is heard or the time is over.
    ///
    /// - Parameter seconds: At most; 0 looks at what is there, and more than an hour is an hour.
    /// - Returns: What was heard since the last wait; empty when nothing was.
    /// - Throws: `WatchError`.
    public func wait(seconds: Double) throws(WatchError) -> FolderHints {
        precondition(!seconds.isNaN, "a wait has a length")
        var source = pollfd(fd: inotify, events: Int16(POLLIN), revents: 0)
        let milliseconds = Int32((min(max(seconds, 0), 3600) * 1000).rounded(.up))
        let count = poll(&source, 1, milliseconds)
        guard count >= 0 || errno == EINTR else { throw .failed(path: "inotify", errno: errno) }
        try readAll()
        return hints.drain()
    }

    private func readAll() throws(WatchError) {
        for _ in 0..<Self.mostReads {
            let count = read(inotify, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno != EAGAIN { throw .failed(path: "inotify", errno: errno) }
            guard count > 0 else { return }
            guard take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
                // What was lost may have been that folders moved: no watch can be trusted.
                try forgetAll()
                return hints.overflow()
            }
        }
    }

    /// - Returns: `false` when events were lost.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var isWhole = true
        let isUnderstood = InotifyParser.parse(bytes) { event in
            if event.kinds.contains(.overflow) { isWhole = false } else { take(event) }
        }
        return isWhole && isUnderstood
    }

    private func take(_ event: InotifyEvent) {
        // Events of a folder that was forgotten can still be on their way.
        guard let folder = table.path(of: event.watch) else { return }
        switch event.name {
        case .none: takeOwn(event.kinds, of: event.watch, folder)
        // A scan passes it over, and says so.
        case .notUTF8: break
        case .text(let name) where event.kinds.contains(.ofFolder):
            take(folder: folder.isEmpty ? name : "\(folder)/\(name)", event.kinds)
        case .text(let name): take(file: name, in: folder, event.kinds)
        }
    }

    private func takeOwn(_ kinds: InotifyEvent.Kinds, of watch: Int32, _ folder: String) {
        if kinds.contains(.ignored) { table.remove(watch) }
        let hasGone = !kinds.isDisjoint(with: [.ignored, .deletedItself, .movedItself, .unmounted])
        if folder.isEmpty, hasGone {
            hints.loseRoot()
        } else if !kinds.isDisjoint(with: [.unmounted, .attributes]) {
            hints.scan(folder)
        }
    }

    private func take(folder path: String, _ kinds: InotifyEvent.Kinds) {
        if kinds.contains(.movedFrom) {
            for watch in table.remove(below: path) { inotify_rm_watch(inotify, watch) }
        }
        if !kinds.isDisjoint(with: [.movedFrom, .deleted]) {
            hints.leave(path)
        } else {
            hints.scan(path)
        }
    }

    private func take(file name: String, in folder: String, _ kinds: InotifyEvent.Kinds) {
        let ends: InotifyEvent.Kinds = [.closedAfterWriting, .movedTo]
        let isClosed: Bool? =
            kinds.isDisjoint(with: ends) ? (kinds.contains(.attributes) ? nil : false) : true
        hints.change(name, in: folder, isClosed: isClosed)
    }
}
