internal import Foundation
internal import TakeupFiles

extension FetchError {
    /// Whether the disk or the user's quota is full: bytes can still be fetched, but not stored.
    public var isDiskFull: Bool {
        guard case .storage(_, let reason) = self else { return false }
        return [ENOSPC, EDQUOT, EFBIG].contains(reason)
    }

    static func storage(_ path: String, _ error: FileError) -> FetchError {
        switch error {
        case .exists: .storage(path: path, errno: EEXIST)
        case .notCreated(_, let reason), .notPermitted(_, let reason), .diskFull(_, let reason),
            .failed(_, let reason):
            .storage(path: path, errno: reason)
        }
    }
}
