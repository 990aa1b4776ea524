internal import Foundation
internal import TakeupFiles

/// An open folder, below which names are looked up one at a time and never through a symbolic link.
final class FolderHandle: Sendable {
    let descriptor: Int32
    /// For messages.
    let path: String

    /// Takes over an open descriptor.
    private init(_ descriptor: Int32, path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit {
        close(descriptor)
    }

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Opens a folder that is no symbolic link itself.
    convenience init(opening path: String) throws(CacheError) {
        let opened = open(path, Self.flags)
        guard opened >= 0 else { throw .failing("open", path, errno) }
        self.init(opened, path: path)
    }

    /// Whether the path still leads to this folder.
    var isInPlace: Bool {
        var facts = stat()
        guard lstat(path, &facts) == 0, let own = FileFacts(descriptor) else { return false }
        return FileFacts(facts).isSameFile(as: own)
    }

    /// Opens a folder in this one, making it where there is none.
    func folder(_ name: String) throws(CacheError) -> FolderHandle {
        if let found = try existingFolder(name) { return found }
        guard mkdirat(descriptor, name, 0o700) == 0 || errno == EEXIST else {
            throw .failing("make", "\(path)/\(name)", errno)
        }
        try synchronize()
        guard let made = try existingFolder(name) else {
            throw .file(operation: "open", path: "\(path)/\(name)", errno: ENOENT)
        }
        return made
    }

    /// - Returns: nil when nothing has the name.
    /// - Throws: `CacheError.unsafe` for something else than a folder.
    func existingFolder(_ name: String) throws(CacheError) -> FolderHandle? {
        let opened = openat(descriptor, name, Self.flags)
        if opened >= 0 { return FolderHandle(opened, path: "\(path)/\(name)") }
        switch errno {
        case ENOENT: return nil
        case ELOOP, ENOTDIR:
            throw .unsafe(path: "\(path)/\(name)", reason: "it is no folder")
        case let reason: throw .failing("open", "\(path)/\(name)", reason)
        }
    }

    /// What has a name, a symbolic link itself rather than what it leads to.
    ///
    /// - Returns: nil when nothing has it.
    func facts(_ name: String) throws(CacheError) -> FileFacts? {
        var facts = stat()
        if fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 { return FileFacts(facts) }
        guard errno == ENOENT else { throw .failing("look at", "\(path)/\(name)", errno) }
        return nil
    }

    /// Opens a regular file for reading.
    ///
    /// - Returns: nil when there is none of that name.
    func openFile(_ name: String) throws(CacheError) -> Int32? {
        // Without O_NONBLOCK a named pipe in its place would hold up the open.
        let opened = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if opened >= 0 { return opened }
        switch errno {
        case ENOENT, ELOOP, ENXIO, ENODEV: return nil
        case let reason: throw .failing("open", "\(path)/\(name)", reason)
        }
    }

    /// Removes a name; one that is gone already is no failure.
    func unlink(_ name: String) throws(CacheError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw .failing("remove", "\(path)/\(name)", errno)
        }
    }

    /// Moves whatever has a name out of the way, without looking into it.
    func move(_ name: String, to folder: FolderHandle) throws(CacheError) {
        let target = "\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        guard renameat(descriptor, name, folder.descriptor, target) == 0 || errno == ENOENT else {
            throw .failing("move", "\(path)/\(name)", errno)
        }
    }

    /// Moves a file that keeps its name, unless that is taken there.
    ///
    /// - Returns: `false` when it is taken, or nothing has the name.
    func moveKeepingName(_ name: String, to folder: FolderHandle) throws(CacheError) -> Bool {
        let reason = ExclusiveRename.move(
            name, in: descriptor, to: name, in: folder.descriptor)
        switch reason {
        case 0: return true
        case EEXIST, ENOENT: return false
        case ENOSYS, EINVAL:
            guard try folder.facts(name) == nil else { return false }
            guard renameat(descriptor, name, folder.descriptor, name) == 0 else {
                throw .failing("move", "\(path)/\(name)", errno)
            }
            return true
        default: throw .failing("move", "\(path)/\(name)", reason)
        }
    }

    /// Brings the folder's names to the disk.
    func synchronize() throws(CacheError) {
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
            throw .failing("synchronize", path, errno)
        }
    }

    /// Every name in it but its own two.
    func names() throws(CacheError) -> [String] {
        // Another open folder, so that nobody shares the position.
        let own = openat(descriptor, ".", Self.flags)
        guard own >= 0 else { throw .failing("list", path, errno) }
        guard let listing = fdopendir(own) else {
            close(own)
            throw .failing("list", path, errno)
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
        guard errno == 0 else { throw .failing("list", path, errno) }
        return names
    }
}
