internal import Foundation

/// Where a file or folder lies, whatever its name.
struct FilePlace: Hashable {
    let device: Int64
    let inode: Int64

    init(_ facts: stat) {
        device = Int64(bitPattern: UInt64(facts.st_dev))
        inode = Int64(bitPattern: UInt64(facts.st_ino))
    }

    /// - Returns: nil for what cannot be looked at; `errno` says why.
    init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }
}
