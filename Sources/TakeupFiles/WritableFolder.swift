internal import Foundation

/// Whether files can be made in a folder: tried, since rights, quotas and read-only disks are not all to be asked for.
public enum WritableFolder {
    /// What every file system keeps at least for a file.
    private static let bytes = 4096

    /// Makes a file without a name in a folder, or in the nearest one above it that is there, and lets it go.
    ///
    /// - Parameter path: Absolute.
    /// - Throws: `FileError` with `.notPermitted`, `.notCreated`, `.diskFull` or `.failed`.
    public static func require(_ path: String) throws(FileError) {
        var folder = path
        while folder != "/", access(folder, F_OK) != 0, errno == ENOENT {
            folder = Folder.containing(folder)
        }
        // A mode that the mask may not take away: what cannot be read again cannot be verified either.
        let file = try PartialFile(for: "\(folder)/takeup.probe", mode: 0o600)
        try file.write([UInt8](repeating: 0, count: bytes))
    }
}

extension FileError {
    /// Whether it is the folder's or the disk's condition, which may heal, and says nothing about the file.
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
