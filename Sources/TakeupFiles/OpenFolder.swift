internal import CTakeupLinux
internal import Foundation

/// An open folder: stays the same folder even if the names that led to it change.
public final class OpenFolder: Sendable {
    /// Mode of a new folder, before the process's umask is applied.
    public static let usualMode: UInt32 = 0o777

    /// The descriptor; closed when the object is deallocated.
    public let descriptor: Int32
    /// The path under which the folder was opened, for display.
    public let path: String

    /// Opens a folder by a trusted path: links in the path are followed.
    ///
    /// - Throws: `FileError.failed`.
    public init(_ path: String) throws(FileError) {
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw .failed(path, errno: errno) }
        (descriptor, self.path) = (opened, path)
    }

    /// Opens a folder by a trusted path; creates it and its parents if missing.
    ///
    /// - Throws: `FileError` with `.failed` or `.notCreated`.
    public convenience init(makingAll path: String) throws(FileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .notCreated(path, errno: errno == 0 ? EIO : errno)
        }
        try self.init(path)
    }

    init(_ descriptor: Int32, _ path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit { close(descriptor) }

    /// Opens a subfolder without following links.
    ///
    /// - Parameter path: The path, relative to this folder; empty for this folder itself.
    /// - Returns: The open subfolder.
    /// - Throws: `FileError.failed`; with `ELOOP` if a link is on the path.
    public func folder(_ path: String) throws(FileError) -> OpenFolder {
        guard !path.isEmpty else { return self }
        let opened = AnchoredPath.open(path, beneath: descriptor, O_RDONLY | O_DIRECTORY)
        guard opened >= 0 else { throw .failed(shown(path), errno: errno) }
        return OpenFolder(opened, shown(path))
    }

    /// Opens a subfolder; creates it and its parents if missing.
    ///
    /// - Parameters:
    ///   - path: The path, relative to this folder; empty for this folder itself.
    ///   - mode: Mode of created folders.
    /// - Returns: The open subfolder.
    /// - Throws: `FileError` with `.failed` or `.notCreated`.
    public func makeFolder(
        _ path: String, mode: UInt32 = usualMode
    ) throws(FileError) -> OpenFolder {
        var folder = self
        for name in Folder.names(of: path) {
            guard mkdirat(folder.descriptor, name, mode) == 0 || errno == EEXIST else {
                throw .notCreated(folder.shown(name), errno: errno)
            }
            folder = try folder.folder(name)
        }
        return folder
    }

    /// Opens a file in the folder for reading; does not follow a link.
    ///
    /// - Returns: A descriptor, or -1 and `errno`.
    public func openFile(_ name: String) -> Int32 {
        openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }

    /// Returns whether a name exists, even as a link that leads nowhere.
    ///
    /// - Throws: `FileError.failed` if that cannot be told.
    public func holds(_ name: String) throws(FileError) -> Bool {
        if faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return true }
        guard errno == ENOENT else { throw .failed(shown(name), errno: errno) }
        return false
    }

    /// Returns whether a name leads to exactly this file.
    public func holds(_ name: String, device: UInt64, inode: UInt64) -> Bool {
        var facts = stat()
        return fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0
            && UInt64(facts.st_dev) == device && UInt64(facts.st_ino) == inode
    }

    /// Removes a file's name.
    ///
    /// - Returns: 0, or an errno.
    public func remove(_ name: String) -> Int32 {
        unlinkat(descriptor, name, 0) == 0 ? 0 : errno
    }

    /// Moves a file without replacing another one; checks the target first if the system cannot do
    /// this atomically.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - folder: The target folder.
    ///   - target: The name in the target folder.
    /// - Returns: 0, or an errno; `EEXIST` if the name is taken.
    public func move(_ name: String, to folder: OpenFolder, _ target: String) -> Int32 {
        let reason = takeup_rename_exclusively(descriptor, name, folder.descriptor, target)
        guard reason == ENOSYS || reason == EINVAL else { return reason }
        if faccessat(folder.descriptor, target, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
        guard errno == ENOENT else { return errno }
        return renameat(descriptor, name, folder.descriptor, target) == 0 ? 0 : errno
    }

    /// Exchanges two names in one atomic step.
    ///
    /// - Returns: The same result as `ExclusiveRename.exchange`.
    public func exchange(_ name: String, _ other: String) -> Int32 {
        takeup_rename_exchanging(descriptor, name, other)
    }

    /// Sets an extended attribute with a name in `user.`, if the file system supports user
    /// attributes.
    ///
    /// - Returns: 0, or an errno.
    public func mark(_ attribute: String) -> Int32 { takeup_mark_folder(descriptor, attribute) }

    /// Returns whether an open folder has an attribute.
    public static func isMarked(_ folder: Int32, _ attribute: String) -> Bool {
        takeup_is_folder_marked(folder, attribute) != 0
    }

    /// Syncs the folder's names to disk.
    ///
    /// - Throws: `FileError.failed`.
    public func synchronize() throws(FileError) { try Folder.synchronize(descriptor, path) }

    /// Returns a path to a name in exactly this folder, valid while this object exists.
    public func anchoredPath(_ name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }

    /// Returns a name's path for display.
    public func shown(_ name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }
}
