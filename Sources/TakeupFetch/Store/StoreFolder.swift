internal import Foundation
internal import TakeupFiles

/// An open folder; names below it are looked up one at a time and never through a symbolic link.
final class StoreFolder: Sendable {
    let descriptor: Int32
    /// The path, for messages.
    let path: String

    private init(_ descriptor: Int32, path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit {
        FileLock.release(descriptor)
        close(descriptor)
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    convenience init(opening path: String) throws(FetchError) {
        let opened = open(path, Self.flags)
        guard opened >= 0 else { throw .storage(path: path, errno: errno) }
        self.init(opened, path: path)
    }

    /// Whether the path still leads to this folder.
    var isInPlace: Bool {
        var facts = stat()
        guard lstat(path, &facts) == 0, let own = StoredFacts(descriptor) else { return false }
        return StoredFacts(facts).isSameFile(as: own)
    }

    /// Opens a subfolder; creates it if missing.
    func folder(_ name: String) throws(FetchError) -> StoreFolder {
        if let found = try existingFolder(name) { return found }
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else {
            throw .storage(path: "\(path)/\(name)", errno: errno)
        }
        try synchronize()
        guard let made = try existingFolder(name) else {
            throw .storage(path: "\(path)/\(name)", errno: ENOENT)
        }
        return made
    }

    /// - Returns: nil if the name does not exist.
    func existingFolder(_ name: String) throws(FetchError) -> StoreFolder? {
        let opened = openat(descriptor, name, Self.flags)
        if opened >= 0 { return StoreFolder(opened, path: "\(path)/\(name)") }
        guard errno == ENOENT else { throw .storage(path: "\(path)/\(name)", errno: errno) }
        return nil
    }

    /// Returns the facts about a name; for a symbolic link, those of the link itself.
    func facts(_ name: String) throws(FetchError) -> StoredFacts? {
        var facts = stat()
        if fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 { return StoredFacts(facts) }
        guard errno == ENOENT else { throw .storage(path: "\(path)/\(name)", errno: errno) }
        return nil
    }

    enum Access {
        case reading
        case writing
        /// Create the file if it is missing.
        case making
    }

    /// Opens a regular file.
    ///
    /// - Returns: nil if no regular file has this name.
    func file(_ name: String, _ access: Access) throws(FetchError) -> StoredFile? {
        let own =
            switch access {
            case .reading: O_RDONLY
            case .writing: O_RDWR
            case .making: O_RDWR | O_CREAT
            }
        // Without O_NONBLOCK, a named pipe in the file's place would block the open.
        let opened = openat(descriptor, name, own | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            if [ENOENT, ELOOP, ENXIO, ENODEV, EISDIR].contains(errno), access != .making {
                return nil
            }
            throw .storage(path: "\(path)/\(name)", errno: errno)
        }
        let file = StoredFile(opened, path: "\(path)/\(name)")
        guard file.facts?.isRegular == true else {
            guard access == .making else { return nil }
            throw .storage(path: file.path, errno: EINVAL)
        }
        return file
    }

    /// Replaces a file's content on disk in one atomic step.
    func replace(_ name: String, with bytes: [UInt8]) throws(FetchError) {
        do throws(FileError) {
            let file = try PartialFile(for: "/proc/self/fd/\(descriptor)/\(name)", mode: 0o600)
            try file.write(bytes)
            try file.synchronize()
            _ = try file.publish(.replace)
        } catch {
            throw .storage("\(path)/\(name)", error)
        }
        try synchronize()
    }

    /// Removes a file's name; a missing name is not an error.
    func unlink(_ name: String) throws(FetchError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .storage(path: "\(path)/\(name)", errno: errno)
        }
    }

    /// Removes an empty folder.
    ///
    /// - Returns: `false` if the folder is not empty.
    func removeFolder(_ name: String) throws(FetchError) -> Bool {
        if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return true }
        if errno == ENOTEMPTY || errno == EEXIST { return false }
        throw .storage(path: "\(path)/\(name)", errno: errno)
    }

    /// Renames a file or folder without opening it.
    ///
    /// - Returns: 0, or an errno.
    func rename(_ name: String, to folder: StoreFolder, _ target: String) -> Int32 {
        renameat(descriptor, name, folder.descriptor, target) == 0 ? 0 : errno
    }

    /// Moves a file or folder out of the way under a fresh name; a missing name is not an error.
    func move(_ name: String, to folder: StoreFolder) throws(FetchError) {
        let reason = rename(name, to: folder, Self.freshName())
        guard reason == 0 || reason == ENOENT else {
            throw .storage(path: "\(path)/\(name)", errno: reason)
        }
    }

    static func freshName() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }

    /// Syncs the folder's names to disk.
    func synchronize() throws(FetchError) {
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
            throw .storage(path: path, errno: errno)
        }
    }

    /// Lists all names in the folder except `.` and `..`.
    func names() throws(FetchError) -> [String] {
        // Open the folder again, because threads must not share the read position.
        let own = openat(descriptor, ".", Self.flags)
        guard own >= 0 else { throw .storage(path: path, errno: errno) }
        guard let listing = fdopendir(own) else {
            let reason = errno
            close(own)
            throw .storage(path: path, errno: reason)
        }
        defer { closedir(listing) }
        var names: [String] = []
        errno = 0
        while let next = readdir(listing) {
            let name = withUnsafePointer(to: &next.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .storage(path: path, errno: errno) }
        return names
    }

    /// Locks the folder itself, without waiting.
    func lock(_ kind: FileLock.Kind) throws(FetchError) -> Bool {
        do throws(FileError) {
            return try FileLock.acquire(kind, on: descriptor)
        } catch {
            throw .storage(path, error)
        }
    }
}
