internal import Foundation

/// A folder as the place of names.
public enum Folder {
    /// The folder that a path's last name is in.
    public static func containing(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Brings a folder's names to the disk.
    ///
    /// - Throws: `FileError.failed`; a file system that has no such thing has nothing to fail.
    public static func synchronize(_ path: String) throws(FileError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .failed(path, errno: errno) }
        let reason = fsync(folder) == 0 ? 0 : errno
        close(folder)
        guard reason != 0, reason != EINVAL, reason != ENOTSUP else { return }
        throw .failed(path, errno: reason)
    }
}
