internal import Foundation

/// Where a file or folder lies, whatever its name.
public struct FilePlace: Hashable, Sendable {
    public let device: Int64
    public let inode: Int64

    init(_ facts: stat) {
        device = Int64(bitPattern: UInt64(facts.st_dev))
        inode = Int64(bitPattern: UInt64(facts.st_ino))
    }

    /// Is nil for what is not there, or cannot be looked at.
    ///
    /// - Parameter path: Absolute; links are followed.
    public init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// - Returns: nil for what cannot be looked at; `errno` says why.
    init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }
}
