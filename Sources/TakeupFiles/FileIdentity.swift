internal import Foundation

/// Facts that distinguish a file's content from a later content, without reading the file.
public struct FileIdentity: Sendable, Hashable {
    public let device: Int64
    public let inode: Int64
    public let bytes: Int64
    /// Time of the last change of content, in nanoseconds since 1970.
    public let modifiedNanoseconds: Int64
    /// Time of the last change of content, name or permissions, in nanoseconds since 1970; programs
    /// cannot set this time back.
    public let changedNanoseconds: Int64

    public init(
        device: Int64, inode: Int64, bytes: Int64, modifiedNanoseconds: Int64,
        changedNanoseconds: Int64
    ) {
        (self.device, self.inode, self.bytes) = (device, inode, bytes)
        self.modifiedNanoseconds = modifiedNanoseconds
        self.changedNanoseconds = changedNanoseconds
    }

    /// Fails if the descriptor is not an open regular file.
    public init?(descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// Fails if the path is not a regular file.
    ///
    /// - Parameter path: The path; links are followed.
    public init?(path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init?(_ facts: stat) {
        guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(
            device: Int64(bitPattern: UInt64(facts.st_dev)),
            inode: Int64(bitPattern: UInt64(facts.st_ino)), bytes: Int64(facts.st_size),
            modifiedNanoseconds: Self.nanoseconds(facts.st_mtim),
            changedNanoseconds: Self.nanoseconds(facts.st_ctim))
    }

    /// Returns whether the file changed less than 0.1 seconds ago.
    ///
    /// A further change within one clock tick would not show in the times, so they prove nothing
    /// yet.
    public func isFresh(now: Double) -> Bool {
        let latest = max(modifiedNanoseconds, changedNanoseconds)
        return now - Double(latest) / 1e9 < 0.1
    }

    /// Returns whether it is the same file, with the same content as far as its length and the time of the last change
    /// of content tell.
    public func hasContent(of other: FileIdentity) -> Bool {
        device == other.device && inode == other.inode && bytes == other.bytes
            && modifiedNanoseconds == other.modifiedNanoseconds
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
