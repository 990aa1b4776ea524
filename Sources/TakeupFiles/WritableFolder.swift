internal import Foundation

/// Tests whether files can be created in a folder, by creating one.
///
/// Permissions, quotas and read-only disks cannot all be queried.
public enum WritableFolder {
    /// Smallest space of a file on any file system, in bytes.
    private static let bytes = 4096

    /// Creates a nameless file in a folder or its nearest existing parent, then discards the file.
    ///
    /// - Parameter path: An absolute path.
    /// - Throws: `FileError` with `.notPermitted`, `.notCreated`, `.diskFull` or `.failed`.
    public static func require(_ path: String) throws(FileError) {
        var folder = path
        while folder != "/", access(folder, F_OK) != 0, errno == ENOENT {
            folder = Folder.containing(folder)
        }
        // Use a mode that no umask reduces: a file that cannot be read again could not be verified
        // either.
        let file = try PartialFile(for: "\(folder)/takeup.probe", mode: 0o600)
        try file.write([UInt8](repeating: 0, count: bytes))
    }
}

extension FileError {
    /// Whether the error concerns the folder or the disk and says nothing about the file.
    ///
    /// The condition may be temporary.
    public var isOfPlace: Bool {
        switch self {
        case .exists: false
        case .notPermitted, .diskFull: true
        case .notCreated(_, let code), .failed(_, let code):
            [
                EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EIO, ENXIO, ENODEV, ENOENT, ESTALE, ENOTCONN,
                ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, EREMOTEIO, ENFILE, EMFILE, ENOMEM,
            ].contains(code)
        }
    }
}
