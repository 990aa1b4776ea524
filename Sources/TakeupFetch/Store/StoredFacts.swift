internal import Foundation

/// The facts about a file that the store needs.
struct StoredFacts: Equatable {
    let device: UInt64
    let inode: UInt64
    let bytes: Int64
    /// Disk space that the file uses, in bytes, without holes.
    let diskBytes: Int64
    let permissions: UInt32
    let owner: UInt32
    let isRegular: Bool
    let isFolder: Bool

    init(_ facts: stat) {
        (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
        (bytes, diskBytes) = (Int64(facts.st_size), Int64(facts.st_blocks) * 512)
        (permissions, owner) = (UInt32(facts.st_mode & 0o7777), UInt32(facts.st_uid))
        isRegular = facts.st_mode & S_IFMT == S_IFREG
        isFolder = facts.st_mode & S_IFMT == S_IFDIR
    }

    /// - Returns: nil if the descriptor is not open.
    init?(_ descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    func isSameFile(as other: StoredFacts) -> Bool {
        device == other.device && inode == other.inode
    }
}
