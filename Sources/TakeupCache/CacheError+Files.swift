internal import Foundation
internal import TakeupFiles

extension CacheError {
    /// What an errno of a call below the cache's directory means.
    static func failing(_ operation: String, _ path: String, _ reason: Int32) -> CacheError {
        switch reason {
        case EACCES, EPERM, EROFS: .notWritable(path: path, errno: reason)
        case ENOSPC, EDQUOT: .diskFull(path: path)
        default: .file(operation: operation, path: path, errno: reason)
        }
    }

    static func failing(_ operation: String, _ path: String, _ error: FileError) -> CacheError {
        switch error {
        case .failed(_, EWOULDBLOCK): .locked(path: path)
        case .exists: .file(operation: operation, path: path, errno: EEXIST)
        case .diskFull: .diskFull(path: path)
        case .notPermitted(_, let reason): .notWritable(path: path, errno: reason)
        case .notCreated(_, let reason), .failed(_, let reason):
            .file(operation: operation, path: path, errno: reason)
        }
    }
}
