internal import CTakeupLinux
internal import Foundation

/// The system's lock on an open file, which ends with its last descriptor.
///
/// It belongs to the open file: copies of a descriptor share it, another `open` of the same file does not.
public enum FileLock {
    public enum Kind: Sendable {
        /// Any number of holders, none of them exclusive.
        case shared
        case exclusive
    }

    /// Takes a lock, or changes the kind of one that is held, without waiting.
    ///
    /// - Returns: `false` when someone else's lock is in the way.
    /// - Throws: `FileError.failed` where the file system has no locks.
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

    /// Gives a lock back, if one is held, before its descriptor is closed.
    ///
    /// A child between its fork and its program has a copy of every descriptor, which would keep the lock for that time.
    public static func release(_ descriptor: Int32) {
        _ = takeup_lock(descriptor, takeup_lock_release)
    }
}
