internal import Foundation

/// A folder as the place of names.
public enum Folder {
    private static let slash = UInt8(ascii: "/")

    /// The folder that a path's last name is in.
    ///
    /// Looks at bytes, as file systems do: for Swift, a slash and a combining mark behind it are one character.
    public static func containing(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path's last name; empty behind a slash.
    public static func lastName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// The names that a path is made of.
    public static func names(of path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }

    /// The way from a folder to what lies below it.
    ///
    /// - Returns: nil for what does not lie below it; empty for the folder itself.
    public static func path(from folder: String, to path: String) -> String? {
        guard !path.utf8.elementsEqual(folder.utf8) else { return "" }
        let prefix = folder == "/" ? folder : "\(folder)/"
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(Substring(path.utf8.dropFirst(prefix.utf8.count)))
    }

    /// An absolute path as the kernel sees it, without links, as far as it is there.
    ///
    /// - Returns: Never with `.` or `..`: behind a name that is not there, `..` takes that name back.
    public static func resolved(_ path: String) -> String {
        names(of: path).reduce("/") { folder, name in
            switch name {
            case ".": return folder
            case "..": return containing(folder)
            default:
                let next = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                guard let real = realpath(next, nil) else { return next }
                defer { free(real) }
                return String(cString: real)
            }
        }
    }

    /// Brings a folder's names to the disk.
    ///
    /// - Throws: `FileError.failed`; a file system that has no such thing has nothing to fail.
    public static func synchronize(_ path: String) throws(FileError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .failed(path, errno: errno) }
        defer { close(folder) }
        try synchronize(folder, path)
    }

    static func synchronize(_ descriptor: Int32, _ path: String) throws(FileError) {
        let reason = fsync(descriptor) == 0 ? 0 : errno
        guard reason != 0, reason != EINVAL, reason != ENOTSUP else { return }
        throw .failed(path, errno: reason)
    }

    /// The last names of the files in a folder, those that are no UTF-8 left out.
    ///
    /// - Parameters:
    ///   - path: From `root` on; no symbolic link is followed.
    ///   - root: An open folder.
    /// - Returns: In no order; empty also when it cannot be read.
    public static func names(in path: String, of root: Int32) -> [String] {
        let folder = AnchoredPath.open(path, beneath: root, O_RDONLY | O_DIRECTORY)
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
