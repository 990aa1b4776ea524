internal import CTakeupLinux
internal import Foundation

/// A folder that stays the same one whatever happens to the names that led to it.
public final class OpenFolder: Sendable {
    /// Of a new folder, from which the process's mask is taken.
    public static let usualMode: UInt32 = 0o777

    /// Closed with this object.
    public let descriptor: Int32
    /// Under which it was opened; to be shown.
    public let path: String

    /// Opens a folder by a path that is trusted: links in it are followed.
    ///
    /// - Throws: `FileError.failed`.
    public init(_ path: String) throws(FileError) {
        let opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw .failed(path, errno: errno) }
        (descriptor, self.path) = (opened, path)
    }

    /// Opens a folder by a path that is trusted, made with those above it where it is missing.
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

    private init(_ descriptor: Int32, _ path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit { close(descriptor) }

    /// A folder below it, to which no link leads.
    ///
    /// - Parameter path: From here on; empty for this very folder.
    /// - Returns: It, open.
    /// - Throws: `FileError.failed`; with `ELOOP` where a link is on the way.
    public func folder(_ path: String) throws(FileError) -> OpenFolder {
        guard !path.isEmpty else { return self }
        let opened = AnchoredPath.open(path, beneath: descriptor, O_RDONLY | O_DIRECTORY)
        guard opened >= 0 else { throw .failed(shown(path), errno: errno) }
        return OpenFolder(opened, shown(path))
    }

    /// A folder below it, made with those above it where it is missing.
    ///
    /// - Parameters:
    ///   - path: From here on; empty for this very folder.
    ///   - mode: Of those that are made.
    /// - Returns: It, open.
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

    /// Opens a file in it; a link is not followed.
    ///
    /// - Returns: A descriptor, or -1 and `errno`.
    public func openFile(_ name: String) -> Int32 {
        openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    }

    /// Whether a name is taken, be it by a link that leads nowhere.
    public func holds(_ name: String) -> Bool {
        faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether a name leads to this very file.
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

    /// Renames a file in it without replacing another; where the system cannot do that, by a look before.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - folder: Where it goes.
    ///   - target: Its name there.
    /// - Returns: 0, or an errno; `EEXIST` for a name that is taken.
    public func move(_ name: String, to folder: OpenFolder, _ target: String) -> Int32 {
        let reason = takeup_rename_exclusively(descriptor, name, folder.descriptor, target)
        guard reason == ENOSYS || reason == EINVAL else { return reason }
        if folder.holds(target) { return EEXIST }
        return renameat(descriptor, name, folder.descriptor, target) == 0 ? 0 : errno
    }

    /// Lets two of its names change places, in one step.
    ///
    /// - Returns: As `ExclusiveRename.exchange`.
    public func exchange(_ name: String, _ other: String) -> Int32 {
        takeup_rename_exchanging(descriptor, name, other)
    }

    /// Sets an attribute of a user's, whose name begins with `user.`, where the file system has such.
    ///
    /// - Returns: 0, or an errno.
    public func mark(_ attribute: String) -> Int32 { takeup_mark_folder(descriptor, attribute) }

    /// Whether an open folder has an attribute.
    public static func isMarked(_ folder: Int32, _ attribute: String) -> Bool {
        takeup_is_folder_marked(folder, attribute) != 0
    }

    /// Brings its names to the disk.
    ///
    /// - Throws: `FileError.failed`.
    public func synchronize() throws(FileError) { try Folder.synchronize(descriptor, path) }

    /// A path that leads to a name in this very folder, as long as this object is there.
    public func anchoredPath(_ name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }

    /// A name's path as it is shown.
    public func shown(_ name: String) -> String { path == "/" ? "/\(name)" : "\(path)/\(name)" }
}
