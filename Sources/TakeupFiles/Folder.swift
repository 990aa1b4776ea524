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

    /// The last names of the files in a folder, those that are no UTF-8 left out.
    ///
    /// - Parameters:
    ///   - path: From `root` on, or absolute; a symbolic link is not followed.
    ///   - root: An open folder.
    /// - Returns: In no order; empty also when it cannot be read.
    public static func names(in path: String, of root: Int32) -> [String] {
        let folder = openat(root, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return [] }
        guard let stream = fdopendir(folder) else {
            close(folder)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let isFolder = Int(entry.pointee.d_type) == Int(DT_DIR)
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) {
                    String(validatingCString: $0)
                }
            }
            if let name, !isFolder { names.append(name) }
        }
        return names
    }
}
