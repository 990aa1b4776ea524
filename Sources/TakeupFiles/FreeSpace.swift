internal import Foundation

/// Free space of the disk that contains a path.
public enum FreeSpace {
    /// - Returns: Bytes that an unprivileged user can still write.
    /// - Throws: `FileError.failed` if the path does not exist.
    public static func bytes(at path: String) throws(FileError) -> Int64 {
        try blocks(path) { UInt64($0.f_bavail) }
    }

    /// - Returns: Bytes that this process can still write; nil if the file system does not count
    ///   bytes.
    public static func usable(at path: String) -> Int64? {
        guard let capacity = try? capacity(at: path), capacity > 0 else { return nil }
        return try? blocks(path) { UInt64(geteuid() == 0 ? $0.f_bfree : $0.f_bavail) }
    }

    /// - Returns: Size of the whole file system, in bytes.
    /// - Throws: `FileError.failed` if the path does not exist.
    public static func capacity(at path: String) throws(FileError) -> Int64 {
        try blocks(path) { UInt64($0.f_blocks) }
    }

    /// - Returns: The uppermost folder on the same disk as a path; the path itself if unknown.
    public static func mountPoint(of path: String) -> String {
        var (own, above) = (stat(), stat())
        var place = Folder.resolved(path)
        guard stat(place, &own) == 0 else { return path }
        while place != "/" {
            let parent = Folder.containing(place)
            guard stat(parent, &above) == 0, above.st_dev == own.st_dev else { break }
            place = parent
        }
        return place
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
