import Foundation
import TakeupFiles

/// Finds the media files below a folder; ends on any tree, links in circles included.
struct FolderWalk {
    /// Folders within folders.
    static let deepest = 64
    static let notUTF8 = "the name is not UTF-8"
    static let notRegular = "it is not a regular file"
    static let passedOver = "a folder that is hidden, a system's or being filled"

    /// Paths from the folder on, sorted by their bytes.
    private(set) var files: [String] = []
    private(set) var skipped: [BatchList.Skipped] = []

    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ facts: stat) {
            (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
        }
    }

    private let root: String
    private var seen: Set<Identity> = []
    /// Folders still to be read; those behind links come last, so that real paths win.
    private var pending: [String] = []
    private var linked: [String] = []

    /// - Parameters:
    ///   - root: An absolute path.
    ///   - output: A folder that is not to be entered; nil for none.
    /// - Throws: When `root` cannot be read, or is `output`.
    init(_ root: String, except output: String?) throws(BatchListError) {
        self.root = root
        var facts = stat()
        if let output {
            if stat(output, &facts) == 0 {
                seen.insert(Identity(facts))
            } else if !Folder.isAbsence(errno) {
                throw ListFile.error(output)
            }
        }
        guard stat(root, &facts) == 0 else { throw ListFile.error(root) }
        guard seen.insert(Identity(facts)).inserted else {
            throw .unfit(
                root, reason: "outputs cannot go to the folder of the sources itself",
                hint: "write to another folder")
        }
        try read("", depth: 0)
        while let folder = next() {
            do {
                try read(folder, depth: folder.utf8.count { $0 == UInt8(ascii: "/") } + 1)
            } catch {
                skip(folder, Self.reason(error))
            }
        }
        files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        skipped.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Returns the folder to read next.
    ///
    /// Folders behind links come last, and only if the walk has not read them yet.
    private mutating func next() -> String? {
        if let folder = pending.popLast() { return folder }
        while let folder = linked.popLast() {
            var facts = stat()
            guard stat("\(root)/\(folder)", &facts) == 0 else {
                skip(folder, Self.reason(ListFile.error("\(root)/\(folder)")))
                continue
            }
            if seen.insert(Identity(facts)).inserted { return folder }
        }
        return nil
    }

    private mutating func read(_ folder: String, depth: Int) throws(BatchListError) {
        let path = folder.isEmpty ? root : "\(root)/\(folder)"
        guard let names = Self.names(in: path) else { throw ListFile.error(path) }
        for (name, isUTF8) in names.sorted(by: { $0.name > $1.name }) {
            let relative = folder.isEmpty ? name : "\(folder)/\(name)"
            guard isUTF8 else {
                skip(relative, Self.notUTF8)
                continue
            }
            guard files.count <= BatchList.mostJobs else { return }
            look(relative, name, depth: depth)
        }
    }

    private mutating func look(_ relative: String, _ name: String, depth: Int) {
        let path = "\(root)/\(relative)"
        var (own, facts) = (stat(), stat())
        guard lstat(path, &own) == 0, stat(path, &facts) == 0 else {
            let error = ListFile.error(path)
            // What cannot be looked at may be a folder of many files.
            if case .missing = error, !MediaName.isMedia(name) { return }
            skip(relative, Self.reason(error))
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR:
            guard !MediaName.isPassedOver(folder: name) else {
                skip(relative, Self.passedOver, isExpected: true)
                return
            }
            guard depth < Self.deepest else {
                skip(relative, "it lies too deep")
                return
            }
            if own.st_mode & S_IFMT == S_IFLNK {
                linked.append(relative)
            } else if seen.insert(Identity(facts)).inserted {
                pending.append(relative)
            }
        case S_IFREG:
            take(relative, MediaName.kind(of: name))
        default:
            if MediaName.isMedia(name) { skip(relative, Self.notRegular) }
        }
    }

    private mutating func take(_ file: String, _ kind: MediaName.Kind) {
        if let reason = kind.reason {
            skip(file, reason, isExpected: kind.isExpected)
        } else {
            files.append(file)
        }
    }

    private mutating func skip(_ relative: String, _ reason: String, isExpected: Bool = false) {
        guard skipped.count < BatchList.mostJobs else { return }
        skipped.append(
            BatchList.Skipped(
                path: relative, reason: reason, isExpected: isExpected))
    }

    static func reason(_ error: BatchListError) -> String {
        switch error {
        case .missing: "there is no such file"
        case .notPermitted: "permission denied"
        case .unreadable(_, let reason), .unfit(_, let reason, _): reason
        case .nothingMatches, .invalid: "it cannot be read"
        }
    }

    /// The names in a folder, repaired where they are no UTF-8; nil for a folder that cannot be read.
    static func names(in path: String) -> [(name: String, isUTF8: Bool)]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [(name: String, isUTF8: Bool)] = []
        while let entry = readdir(folder) {
            let (name, isUTF8) = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) {
                    (String(cString: $0), String(validatingCString: $0) != nil)
                }
            }
            if name != ".", name != ".." { names.append((name, isUTF8)) }
        }
        return names
    }
}
