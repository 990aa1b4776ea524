internal import Foundation

extension Folder {
    /// Lists the names in a folder, in no particular order, without names that are not UTF-8.
    ///
    /// - Returns: nil if nothing has the path.
    /// - Throws: `FileError.failed`; a folder that cannot be read is not an empty one.
    public static func names(in path: String) throws(FileError) -> [String]? {
        guard let stream = opendir(path) else {
            guard errno == ENOENT else { throw .failed(path, errno: errno) }
            return nil
        }
        return try names(in: stream, path) { _ in true }
    }

    /// Lists the names in a folder that are not those of folders, in no particular order, without
    /// names that are not UTF-8.
    ///
    /// - Parameters:
    ///   - path: The path, relative to `root`; no symbolic link is followed.
    ///   - root: An open folder.
    /// - Returns: Nothing if no folder has the path.
    /// - Throws: `FileError.failed`; a folder that cannot be read is not an empty one.
    public static func names(in path: String, of root: Int32) throws(FileError) -> [String] {
        let folder = AnchoredPath.open(path, beneath: root, O_RDONLY | O_DIRECTORY)
        guard folder >= 0 else {
            guard isAbsence(errno) || errno == ELOOP else { throw .failed(path, errno: errno) }
            return []
        }
        guard let stream = fdopendir(folder) else {
            let reason = errno
            close(folder)
            throw .failed(path, errno: reason)
        }
        return try names(in: stream, path) { Int($0) != Int(DT_DIR) }
    }

    /// Reads an open folder to its end, and closes it.
    private static func names(
        in stream: OpaquePointer, _ path: String, of isMeant: (UInt8) -> Bool
    ) throws(FileError) -> [String] {
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            if let name = name(of: entry), name != ".", name != "..", isMeant(entry.pointee.d_type)
            {
                names.append(name)
            }
            errno = 0
        }
        guard errno == 0 else { throw .failed(path, errno: errno) }
        return names
    }

    /// Whether an errno of looking at a path says that nothing has it; all others say only that it
    /// cannot be told.
    public static func isAbsence(_ reason: Int32) -> Bool { reason == ENOENT || reason == ENOTDIR }

    /// Whether nothing has a path; links are followed.
    ///
    /// - Returns: `false` also if that cannot be told.
    public static func isAbsent(_ path: String) -> Bool {
        access(path, F_OK) != 0 && isAbsence(errno)
    }

    /// Reads a whole small file.
    ///
    /// - Parameters:
    ///   - path: No symbolic link is followed.
    ///   - most: The most bytes that the file may have.
    /// - Returns: nil if nothing has the path.
    /// - Throws: `FileError.failed`; a file that cannot be read is not a missing one.
    public static func bytes(of path: String, most: Int) throws(FileError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw .failed(path, errno: errno) }
            return nil
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed(path, errno: errno) }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= most else { throw .failed(path, errno: EFBIG) }
        }
    }
}
