internal import CTakeupLinux
internal import Foundation

extension FileLock {
    /// Takes a lock, waiting for those who hold one that is in the way.
    ///
    /// - Throws: `FileError.failed` where the file system has no locks.
    public static func wait(for kind: Kind, on descriptor: Int32) throws(FileError) {
        let operation =
            switch kind {
            case .shared: takeup_lock_shared & ~LOCK_NB
            case .exclusive: takeup_lock_exclusive & ~LOCK_NB
            }
        while true {
            let reason = takeup_lock(descriptor, operation)
            if reason == 0 { return }
            guard reason == EINTR else { throw .failed("a lock", errno: reason) }
        }
    }
}
