internal import Foundation

/// What the cache has to know about a file.
struct FileFacts: Equatable {
    let device: UInt64
    let inode: UInt64
    let bytes: Int64
    /// How many names it has.
    let links: UInt64
    let permissions: UInt32
    let owner: UInt32
    let isRegular: Bool
    let isFolder: Bool

    init(_ facts: stat) {
        (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
        (bytes, links) = (Int64(facts.st_size), UInt64(facts.st_nlink))
        (permissions, owner) = (UInt32(facts.st_mode & 0o7777), UInt32(facts.st_uid))
        isRegular = facts.st_mode & S_IFMT == S_IFREG
        isFolder = facts.st_mode & S_IFMT == S_IFDIR
    }

    /// - Returns: nil when the descriptor is not open.
    init?(_ descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    func isSameFile(as other: FileFacts) -> Bool {
        device == other.device && inode == other.inode
    }
}
