internal import Foundation
public import TakeupFiles

/// The folder that the results are in: `objects/ab/<sha256>.mp4`, `staging`, `orphans`, `quarantine` and `owner`.
///
/// It belongs to one database, which knows it by an identity of its own, wherever it lies. It is shared by any number of processes on it. Three locks keep them apart, all of
/// the kernel and gone with their holder: a shared one on a file means that it is read or about to be recorded;
/// who wants to remove it takes an exclusive one; and whoever changes a name in a folder of `objects` holds that
/// folder's. A file's lock is taken before its folder's, and the folder's before the database's.
public final class LocalObjects: ObjectStore {
    /// The absolute path of its root.
    public let path: String
    let root: FolderHandle
    let objects: FolderHandle
    let staging: FolderHandle
    let quarantine: FolderHandle
    /// Results that no row named, under their own names.
    let orphans: FolderHandle
    /// Whether nothing in it can be changed.
    public let isReadOnly: Bool

    /// Opens a cache, making an empty one where a new database has none yet.
    ///
    /// - Parameters:
    ///   - path: Its root; missing folders above it are made.
    ///   - manifest: The rows of the database that it belongs to.
    ///   - adopting: Takes the directory as it is: rows without a file in it are dropped by the next repair, files
    ///     without a row set aside.
    ///   - copying: Opens a second place for the same results, which the database does not know; one that is unused is
    ///     marked as that.
    ///   - kind: What shared file system a folder is on; see `FileSystemKind`.
    /// - Throws: `CacheError` with `.foreign` for another database's; `.notKnown` for any other than the one that the
    ///   database's results are in; `.sharedFileSystem`; `.unsafe` for a symbolic link, a folder that others may write to or own, or one
    ///   that holds something else; `.notWritable` and `.file`.
    public init(
        path: String, manifest: Manifest, adopting: Bool = false, copying: Bool = false,
        kind: (String) -> String? = FileSystemKind.shared
    ) throws(CacheError) {
        (self.path, isReadOnly) = (path, false)
        if let kind = kind(Self.present(path)) { throw .sharedFileSystem(path: path, kind: kind) }
        if !copying, access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
            try CacheOwner.admitAbsence(of: path, for: manifest, isAdopting: adopting)
        }
        if mkdir(path, 0o700) != 0, errno == ENOENT { try Self.makeFolders(above: path) }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .failing("make", path, errno) }
        var facts = stat()
        if lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK {
            throw .unsafe(path: path, reason: "it is a symbolic link")
        }
        root = try FolderHandle(opening: path)
        try Self.check(root)
        if copying {
            try CacheOwner.claimCopy(root, for: manifest)
        } else {
            try CacheOwner.claim(root, for: manifest, isAdopting: adopting)
        }
        objects = try root.folder("objects")
        staging = try root.folder("staging")
        quarantine = try root.folder("quarantine")
        orphans = try root.folder("orphans")
        for folder in [root, objects, staging] {
            guard faccessat(folder.descriptor, ".", W_OK, 0) == 0 else {
                throw .notWritable(path: folder.path, errno: errno)
            }
        }
    }

    /// Opens a cache for reading alone, and changes nothing in it.
    ///
    /// - Parameters:
    ///   - path: Its root.
    ///   - manifest: The rows of the database that it belongs to.
    /// - Throws: `CacheError`, as the other one.
    public init(reading path: String, manifest: Manifest) throws(CacheError) {
        (self.path, isReadOnly) = (path, true)
        guard let root = try Self.existing(path, for: manifest) else {
            throw .failing("open", path, ENOENT)
        }
        self.root = root
        guard let objects = try root.existingFolder("objects") else {
            throw .failing("open", "\(path)/objects", ENOENT)
        }
        self.objects = objects
        // Nothing is ever put into these.
        staging = try root.existingFolder("staging") ?? root
        quarantine = try root.existingFolder("quarantine") ?? root
        orphans = try root.existingFolder("orphans") ?? root
    }

    /// The identity of the database that a folder says it belongs to; nil where it says nothing that can be read.
    public static func owner(of path: String) -> String? {
        (try? FolderHandle(opening: path)).flatMap { CacheOwner.database(of: $0) }
    }

    /// Sees whether a database may use a folder, and changes nothing.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - manifest: The rows of the database.
    /// - Throws: `CacheError`, as `init(path:manifest:adopting:kind:)`.
    public static func check(_ path: String, for manifest: Manifest) throws(CacheError) {
        _ = try existing(path, for: manifest)
    }

    /// - Returns: nil for a folder that is not there, of a database that has no results yet.
    private static func existing(
        _ path: String, for manifest: Manifest
    ) throws(CacheError) -> FolderHandle? {
        if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
            try CacheOwner.admitAbsence(of: path, for: manifest, isAdopting: false)
            return nil
        }
        let root = try FolderHandle(opening: path)
        try check(root)
        try CacheOwner.check(root, for: manifest)
        return root
    }

    /// How many files were set aside because no entry names them, and their bytes.
    public func orphanSizes() throws(CacheError) -> (count: Int, bytes: Int64) {
        // A cache that is only read may not have the folder: its root stands for it then.
        guard orphans !== root else { return (0, 0) }
        var (count, bytes): (Int, Int64) = (0, 0)
        for name in try orphans.names() {
            guard let facts = try orphans.facts(name), facts.isRegular else { continue }
            (count, bytes) = (count + 1, bytes + facts.bytes)
        }
        return (count, bytes)
    }

    /// What is there of a path.
    private static func present(_ path: String) -> String {
        var path = path
        while access(path, F_OK) != 0, path != "/", path != "." { path = Folder.containing(path) }
        return path
    }

    private static func makeFolders(above path: String) throws(CacheError) {
        var parents: [String] = []
        var parent = Folder.containing(path)
        while mkdir(parent, 0o700) != 0, errno == ENOENT, parent != "/", parent != "." {
            parents.append(parent)
            parent = Folder.containing(parent)
        }
        for parent in parents.reversed() {
            guard mkdir(parent, 0o700) == 0 || errno == EEXIST else {
                throw .failing("make", parent, errno)
            }
        }
    }

    private static func check(_ root: FolderHandle) throws(CacheError) {
        guard let facts = FileFacts(root.descriptor) else {
            throw .failing("look at", root.path, errno)
        }
        if facts.owner != geteuid() {
            throw .unsafe(path: root.path, reason: "it belongs to another user")
        }
        if facts.permissions & 0o022 != 0 {
            throw .unsafe(path: root.path, reason: "others may write to it")
        }
    }

    public func requirePlace() throws(CacheError) {
        guard root.isInPlace, objects.isInPlace else { throw .gone(path: path) }
    }

    /// Where a file is, or would be.
    public func path(of object: ObjectName) -> String {
        "\(path)/objects/\(object.shard)/\(object.fileName)"
    }

    /// Free space on its file system, for a user without privileges.
    public func freeBytes() throws(CacheError) -> Int64 {
        do throws(FileError) {
            return try FreeSpace.bytes(at: Self.path(in: root))
        } catch {
            throw .failing("measure", path, error)
        }
    }

    /// Makes an empty file without a name on the cache's file system, to be filled and placed.
    public func stage() throws(CacheError) -> PartialFile {
        try requirePlace()
        do throws(FileError) {
            let file = try PartialFile(for: Self.path(in: staging, "object"), mode: 0o600)
            // Where it needed a name after all, this keeps it from being swept.
            try FileLock.wait(for: .shared, on: file.descriptor)
            return file
        } catch {
            throw .failing("stage", staging.path, error)
        }
    }

    /// A path that leads through the open folder, whatever happens to the names above it.
    static func path(in folder: FolderHandle, _ name: String = ".") -> String {
        "/proc/self/fd/\(folder.descriptor)/\(name)"
    }

    /// Runs `body` while nobody else changes names in a folder of `objects`.
    func withShard<Value>(
        _ shard: String, _ body: (FolderHandle) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        try requirePlace()
        // Opened anew: a lock belongs to the open file, and threads must not share one.
        let folder = try objects.folder(shard)
        do throws(FileError) {
            try FileLock.wait(for: .exclusive, on: folder.descriptor)
        } catch {
            throw .failing("lock", folder.path, error)
        }
        return try body(folder)
    }
}
