internal import Foundation

/// Functions on folders and paths.
public enum Folder {
    private static let slash = UInt8(ascii: "/")

    /// Returns the folder that contains a path's last name.
    ///
    /// Works on bytes like file systems do: in Swift, a slash and a following combining mark are
    /// one character.
    public static func containing(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns a path's last name; empty after a trailing slash.
    public static func lastName(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: slash) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    /// Whether a path begins at the root.
    public static func isAbsolute(_ path: some StringProtocol) -> Bool { path.utf8.first == slash }

    /// Whether a path ends in a slash, as only that of a folder may.
    public static func endsInSlash(_ path: String) -> Bool { path.utf8.last == slash }

    /// Whether a text has a slash, so that it is more than one name.
    public static func hasSlash(_ text: some StringProtocol) -> Bool { text.utf8.contains(slash) }

    /// Whether a name begins with a dot.
    public static func isHidden(_ name: some StringProtocol) -> Bool {
        name.utf8.first == UInt8(ascii: ".")
    }

    /// Splits a path into its names.
    public static func names(of path: String) -> [String] {
        path.utf8.split(separator: slash).map { String(Substring($0)) }
    }

    /// Returns the relative path from a folder to a path below it.
    ///
    /// - Returns: nil if the path is not below the folder; empty for the folder itself.
    public static func path(from folder: String, to path: String) -> String? {
        guard !path.utf8.elementsEqual(folder.utf8) else { return "" }
        let prefix = folder == "/" ? folder : "\(folder)/"
        guard path.utf8.starts(with: prefix.utf8) else { return nil }
        return String(Substring(path.utf8.dropFirst(prefix.utf8.count)))
    }

    /// Resolves the links of an absolute path, as far as the path exists.
    ///
    /// - Returns: A path without `.` or `..`; after a missing name, `..` removes that name.
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

    /// Syncs a folder's names to disk.
    ///
    /// - Throws: `FileError.failed`; a file system without folder syncs is not an error.
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

    /// Returns the name of an entry; nil if it is not UTF-8.
    static func name(of entry: UnsafeMutablePointer<dirent>) -> String? {
        withUnsafePointer(to: &entry.pointee.d_name) { field in
            field.withMemoryRebound(to: CChar.self, capacity: 256) {
                String(validatingCString: $0)
            }
        }
    }
}
