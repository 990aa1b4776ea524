internal import Foundation

/// Room on the disk that a path is on.
public enum FreeSpace {
    /// - Returns: Bytes that a user without privileges can still write.
    /// - Throws: `FileError.failed` for a path that is not there.
    public static func bytes(at path: String) throws(FileError) -> Int64 {
        try blocks(path) { UInt64($0.f_bavail) }
    }

    /// - Returns: Bytes of the whole file system, whoever uses them.
    /// - Throws: `FileError.failed` for a path that is not there.
    public static func capacity(at path: String) throws(FileError) -> Int64 {
        try blocks(path) { UInt64($0.f_blocks) }
    }

    private static func blocks(
        _ path: String, _ count: (statvfs) -> UInt64
    ) throws(FileError) -> Int64 {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { throw .failed(path, errno: errno) }
        let (bytes, isTooMuch) = count(facts)
            .multipliedReportingOverflow(by: UInt64(facts.f_frsize))
        return isTooMuch ? .max : Int64(clamping: bytes)
    }
}
