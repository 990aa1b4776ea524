internal import Foundation

/// The reason why a file operation failed.
public enum FileError: Error, Equatable, Sendable {
    /// The name is taken.
    case exists(String)
    case notCreated(String, errno: Int32)
    case notPermitted(String, errno: Int32)
    /// The disk or the user's quota is full.
    case diskFull(String, errno: Int32)
    /// Reading or writing the file failed.
    case failed(String, errno: Int32)

    /// Converts an errno of creating or naming a file.
    public static func creating(_ path: String, _ reason: Int32) -> FileError {
        switch reason {
        case EACCES, EPERM, EROFS: .notPermitted(path, errno: reason)
        case ENOSPC, EDQUOT: .diskFull(path, errno: reason)
        default: .notCreated(path, errno: reason)
        }
    }

    /// Converts an errno of reading or writing an open file.
    public static func writing(_ path: String, _ reason: Int32) -> FileError {
        reason == ENOSPC || reason == EDQUOT
            ? .diskFull(path, errno: reason) : .failed(path, errno: reason)
    }

    /// The same error of another path.
    public func of(_ path: String) -> FileError {
        switch self {
        case .exists: .exists(path)
        case .notCreated(_, let code): .notCreated(path, errno: code)
        case .notPermitted(_, let code): .notPermitted(path, errno: code)
        case .diskFull(_, let code): .diskFull(path, errno: code)
        case .failed(_, let code): .failed(path, errno: code)
        }
    }

    /// The system's error text.
    public var reason: String {
        switch self {
        case .exists: String(cString: strerror(EEXIST))
        case .notCreated(_, let code), .notPermitted(_, let code), .diskFull(_, let code),
            .failed(_, let code):
            String(cString: strerror(code))
        }
    }
}
