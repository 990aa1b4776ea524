internal import Foundation
internal import TakeupFiles

/// An open folder, below which names are looked up one at a time and never through a symbolic link.
final class StoreFolder: Sendable {
    let descriptor: Int32
    /// For messages.
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

    /// Opens a folder in this one, making it where there is none.
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

    /// - Returns: nil when nothing has the name.
    func existingFolder(_ name: String) throws(FetchError) -> StoreFolder? {
        let opened = openat(descriptor, name, Self.flags)
        if opened >= 0 { return StoreFolder(opened, path: "\(path)/\(name)") }
        guard errno == ENOENT else { throw .storage(path: "\(path)/\(name)", errno: errno) }
        return nil
    }

    /// What has a name, a symbolic link itself rather than what it leads to.
    func facts(_ name: String) throws(FetchError) -> StoredFacts? {
        var facts = stat()
        if fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 { return StoredFacts(facts) }
        guard errno == ENOENT else { throw .storage(path: "\(path)/\(name)", errno: errno) }
        return nil
    }

    enum Access {
        case reading
        case writing
        /// Makes it where there is none.
        case making
    }

    /// Opens a regular file.
    ///
    /// - Returns: nil when there is none of that name.
    func file(_ name: String, _ access: Access) throws(FetchError) -> StoredFile? {
        let own =
            switch access {
            case .reading: O_RDONLY
            case .writing: O_RDWR
            case .making: O_RDWR | O_CREAT
            }
        // Without O_NONBLOCK a named pipe in its place would hold up the open.
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

    /// Gives a name another content, on the disk and in one step.
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

    /// Removes a file's name; one that is gone already is no failure.
    func unlink(_ name: String) throws(FetchError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .storage(path: "\(path)/\(name)", errno: errno)
        }
    }

    /// Removes an empty folder.
    ///
    /// - Returns: `false` when there is something in it.
    func removeFolder(_ name: String) throws(FetchError) -> Bool {
        if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return true }
        if errno == ENOTEMPTY || errno == EEXIST { return false }
        throw .storage(path: "\(path)/\(name)", errno: errno)
    }

    /// Renames without looking into what has the name.
    ///
    /// - Returns: 0, or an errno.
    func rename(_ name: String, to folder: StoreFolder, _ target: String) -> Int32 {
        renameat(descriptor, name, folder.descriptor, target) == 0 ? 0 : errno
    }

    /// Moves whatever has a name out of the way; one that is gone already is no failure.
    func move(_ name: String, to folder: StoreFolder) throws(FetchError) {
        let reason = rename(name, to: folder, Self.freshName())
        guard reason == 0 || reason == ENOENT else {
            throw .storage(path: "\(path)/\(name)", errno: reason)
        }
    }

    static func freshName() -> String { String(UInt64.random(in: 0...UInt64.max), radix: 36) }

    /// Brings the folder's names to the disk.
    func synchronize() throws(FetchError) {
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
            throw .storage(path: path, errno: errno)
        }
    }

    /// Every name in it but its own two.
    func names() throws(FetchError) -> [String] {
        // Another open folder, so that nobody shares the position.
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

    /// Takes a lock on the folder itself without waiting.
    func lock(_ kind: FileLock.Kind) throws(FetchError) -> Bool {
        do throws(FileError) {
            return try FileLock.acquire(kind, on: descriptor)
        } catch {
            throw .storage(path, error)
        }
    }
}
