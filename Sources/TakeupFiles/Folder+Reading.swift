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
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            if let name = name(of: entry), name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .failed(path, errno: errno) }
        return names
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
