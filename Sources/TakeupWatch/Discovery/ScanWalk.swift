internal import Foundation
internal import TakeupFiles

/// One run of a scan.
struct ScanWalk {
    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    /// Names between two questions whether to stop.
    private static let stride = 256

    private let scan: TreeScan
    private let found: (ScanFinding) -> Void
    private(set) var result = ScanResult()
    /// The folders that lie around where the scan begins, from the root on.
    private var above: [FilePlace] = []
    private var levels: [ScanLevel] = []
    private var namesUntilQuestion = Self.stride

    init(_ scan: TreeScan, found: @escaping (ScanFinding) -> Void) {
        (self.scan, self.found) = (scan, found)
    }

    mutating func run(below folder: String) {
        guard goesOn() else { return }
        begin(at: folder)
        while let level = levels.last, !result.isStopped {
            guard let name = level.pending.popLast() else {
                levels.removeLast()
                continue
            }
            guard goesOn() else { return }
            enter(openat(level.descriptor, name, Self.flags), path: level.path(of: name))
        }
    }

    private mutating func goesOn() -> Bool {
        if !result.isStopped { result.isStopped = scan.isStopped() }
        return !result.isStopped
    }

    private mutating func begin(at folder: String) {
        var descriptor = openat(scan.root, ".", Self.flags)
        for name in Folder.names(of: folder) where descriptor >= 0 {
            precondition(name != "." && name != "..", "a scan begins below its root")
            let outer = descriptor
            if let place = FilePlace(descriptor: outer) {
                if let reason = refusal(of: place, outer) {
                    close(outer)
                    return pass(folder, reason)
                }
                above.append(place)
            }
            descriptor = openat(outer, name, Self.flags)
            let reason = errno
            close(outer)
            errno = reason
        }
        enter(descriptor, path: folder)
    }

    /// Goes into a folder that was just opened, or says by `errno` why it was not.
    private mutating func enter(_ descriptor: Int32, path: String) {
        guard descriptor >= 0 else { return miss(path, errno) }
        guard let place = FilePlace(descriptor: descriptor) else {
            miss(path, errno)
            close(descriptor)
            return
        }
        if let reason = refusal(of: place, descriptor) {
            close(descriptor)
            return pass(path, reason)
        }
        guard let level = ScanLevel(descriptor, path: path, place: place) else {
            return miss(path, errno)
        }
        let outer = levels.last?.place ?? above.last
        levels.append(level)
        result.folders += 1
        found(
            .folder(
                path: path, descriptor: level.descriptor,
                startsFileSystem: outer.map { $0.device != place.device } ?? false))
        read(level)
    }

    private func refusal(of place: FilePlace, _ folder: Int32) -> PassedOver? {
        if above.count + levels.count > TreeScan.deepest { return .tooDeep }
        // Bind mounts can put a folder below itself.
        if above.contains(place) || levels.contains(where: { $0.place == place }) { return .circle }
        guard !above.isEmpty || !levels.isEmpty else { return nil }
        if AsideMark.isOn(folder) { return .aside }
        return scan.refusal(place).map { .own($0) }
    }

    private mutating func read(_ level: ScanLevel) {
        while true {
            namesUntilQuestion -= 1
            if namesUntilQuestion == 0 {
                namesUntilQuestion = Self.stride
                guard goesOn() else { return }
            }
            errno = 0
            guard let entry = readdir(level.stream) else {
                let reason = errno
                if reason != 0 { miss(level.path, reason) }
                return
            }
            look(at: entry, in: level)
        }
    }

    private mutating func look(at entry: UnsafeMutablePointer<dirent>, in level: ScanLevel) {
        let (name, isUTF8) = withUnsafePointer(to: &entry.pointee.d_name) { field in
            field.withMemoryRebound(to: CChar.self, capacity: 256) { bytes in
                String(validatingCString: bytes).map { ($0, true) } ?? (
                    String(cString: bytes), false
                )
            }
        }
        guard name != ".", name != ".." else { return }
        let path = level.path(of: name)
        guard isUTF8 else { return pass(path, .notUTF8) }
        switch Int(entry.pointee.d_type) {
        case Int(DT_DIR): take(folder: name, path, in: level)
        case Int(DT_REG), Int(DT_UNKNOWN):
            let isKnown = Int(entry.pointee.d_type) == Int(DT_REG)
            look(at: name, path, isKnownFile: isKnown, in: level)
        case Int(DT_LNK): pass(path, .link)
        case Int(DT_FIFO): pass(path, .pipe)
        case Int(DT_SOCK): pass(path, .socket)
        default: pass(path, .device)
        }
    }

    private mutating func take(folder name: String, _ path: String, in level: ScanLevel) {
        guard admits(name, path, isFolder: true) else { return }
        level.pending.append(name)
    }

    /// Looks at a file; `isKnownFile` is false where the file system tells kinds only when it is asked for each.
    private mutating func look(
        at name: String, _ path: String, isKnownFile: Bool, in level: ScanLevel
    ) {
        if isKnownFile { guard admits(name, path, isFolder: false) else { return } }
        var facts = stat()
        guard fstatat(level.descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            // What was removed meanwhile has gone, which says nothing against the scan.
            if errno != ENOENT { miss(path, errno) }
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG:
            guard isKnownFile || admits(name, path, isFolder: false) else { return }
            result.files += 1
            found(.file(path: path, FileMark(facts)))
        case S_IFDIR: take(folder: name, path, in: level)
        case S_IFLNK: pass(path, .link)
        case S_IFIFO: pass(path, .pipe)
        case S_IFSOCK: pass(path, .socket)
        default: pass(path, .device)
        }
    }

    private mutating func admits(_ name: String, _ path: String, isFolder: Bool) -> Bool {
        if scan.admits(ScanEntry(path: path, name: name, isFolder: isFolder)) { return true }
        result.ignored += 1
        return false
    }

    private mutating func pass(_ path: String, _ reason: PassedOver) {
        result.passedOver += 1
        found(.passedOver(path: path, reason))
    }

    private mutating func miss(_ path: String, _ reason: Int32) {
        result.unreadable += 1
        found(.unreadable(path: path, errno: reason))
    }
}
