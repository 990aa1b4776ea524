internal import Foundation
internal import TakeupFiles

extension FetchError {
    /// Whether the disk or the user's quota is full: bytes can still be fetched, but not stored.
    public var isDiskFull: Bool {
        guard case .storage(_, let reason) = self else { return false }
        return [ENOSPC, EDQUOT, EFBIG].contains(reason)
    }

    /// Whether the folder of the sources is away: neither the sources nor the origin are at fault.
    public var isStoreGone: Bool {
        guard case .storage(_, ESTALE) = self else { return false }
        return true
    }

    /// Whether this process, or the machine, can open no more files now.
    public var isOutOfFiles: Bool {
        guard case .storage(_, let reason) = self else { return false }
        return reason == EMFILE || reason == ENFILE
    }

    /// Whether the bytes that are stored are worth nothing any more: not where another try, a moment later or with the disk
    /// that is away, goes on with them.
    var endsStoring: Bool { !isOutOfFiles && !isStoreGone }

    static func storage(_ path: String, _ error: FileError) -> FetchError {
        switch error {
        case .exists: .storage(path: path, errno: EEXIST)
        case .notCreated(_, let reason), .notPermitted(_, let reason), .diskFull(_, let reason),
            .failed(_, let reason):
            .storage(path: path, errno: reason)
        }
    }
}
