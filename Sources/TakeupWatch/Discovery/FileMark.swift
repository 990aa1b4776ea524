internal import Foundation
public import TakeupFiles

/// What is known of a regular file without opening it.
public struct FileMark: Sendable, Hashable {
    public let identity: FileIdentity
    /// Names that the file has, this one included.
    public let links: Int
    /// Permission bits alone, such as 0o644.
    public let mode: UInt32
    public let owner: UInt32
    public let group: UInt32

    public init(identity: FileIdentity, links: Int, mode: UInt32, owner: UInt32, group: UInt32) {
        (self.identity, self.links, self.mode) = (identity, links, mode)
        (self.owner, self.group) = (owner, group)
    }

    /// Looks at a file by its name; no symbolic link is followed.
    ///
    /// - Parameters:
    ///   - name: From the folder on.
    ///   - folder: An open folder.
    /// - Returns: nil when no regular file has the name, or a link is on the way to it.
    /// - Throws: `WatchError.failed` when that cannot be told.
    public static func of(_ name: String, in folder: Int32) throws(WatchError) -> FileMark? {
        try of(AnchoredPath.open(name, beneath: folder, AnchoredPath.placeOnly), name)
    }

    /// Looks at a file below a trusted folder.
    ///
    /// - Parameters:
    ///   - name: From the folder on; no symbolic link is followed.
    ///   - root: The folder's path.
    /// - Returns: As above.
    /// - Throws: As above.
    public static func of(_ name: String, below root: String) throws(WatchError) -> FileMark? {
        try of(AnchoredPath.open(name, below: root, AnchoredPath.placeOnly), name)
    }

    /// Reads the mark of an open descriptor, and closes the descriptor.
    private static func of(_ place: Int32, _ name: String) throws(WatchError) -> FileMark? {
        guard place >= 0 else {
            guard Folder.isAbsence(errno) || errno == ELOOP else {
                throw .failed(path: name, errno: errno)
            }
            return nil
        }
        defer { close(place) }
        var facts = stat()
        guard fstat(place, &facts) == 0 else { throw .failed(path: name, errno: errno) }
        return facts.st_mode & S_IFMT == S_IFREG ? FileMark(facts) : nil
    }

    init(_ facts: stat) {
        let place = FilePlace(facts)
        self.init(
            identity: FileIdentity(
                device: place.device, inode: place.inode, bytes: Int64(facts.st_size),
                modifiedNanoseconds: Self.nanoseconds(facts.st_mtim),
                changedNanoseconds: Self.nanoseconds(facts.st_ctim)),
            links: Int(facts.st_nlink), mode: UInt32(facts.st_mode) & 0o7777,
            owner: UInt32(facts.st_uid), group: UInt32(facts.st_gid))
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
