internal import CTakeupLinux
internal import Foundation

/// The system's lock on an open file; it ends when the last descriptor is closed.
///
/// The lock belongs to one `open` of the file: copies of the descriptor share it, another `open`
/// does not.
public enum FileLock {
    public enum Kind: Sendable {
        /// Any number of holders, none of them exclusive.
        case shared
        case exclusive
    }

    /// Takes a lock, or changes the kind of a held lock, without waiting.
    ///
    /// - Returns: `false` if another holder's lock prevents it.
    /// - Throws: `FileError.failed` if the file system has no locks.
    public static func acquire(_ kind: Kind, on descriptor: Int32) throws(FileError) -> Bool {
        let operation =
            switch kind {
            case .shared: takeup_lock_shared
            case .exclusive: takeup_lock_exclusive
            }
        var reason = takeup_lock(descriptor, operation)
        while reason == EINTR { reason = takeup_lock(descriptor, operation) }
        if reason == EWOULDBLOCK { return false }
        guard reason == 0 else { throw .failed("a lock", errno: reason) }
        return true
    }

    /// Releases a lock, if one is held, before its descriptor is closed.
    ///
    /// Between fork and exec, a child process has a copy of every descriptor. This copy would keep
    /// the lock until exec.
    public static func release(_ descriptor: Int32) {
        _ = takeup_lock(descriptor, takeup_lock_release)
    }
}
