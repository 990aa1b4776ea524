internal import CTakeupLinux
internal import Foundation

extension PartialFile {
    /// Sets room on the disk aside for what will be written; the length stays as it is.
    ///
    /// `truncate` gives it up.
    ///
    /// - Parameter bytes: From the file's start, above 0.
    /// - Returns: `false` where the file system cannot.
    /// - Throws: `FileError` with `.diskFull` or `.failed`.
    public func reserve(_ bytes: Int64) throws(FileError) -> Bool {
        precondition(bytes > 0, "nothing cannot be reserved")
        while true {
            switch takeup_reserve_blocks(descriptor, bytes) {
            case 0: return true
            case EINTR: continue
            case EOPNOTSUPP, ENOSYS: return false
            case let reason: throw .writing(destination, reason)
            }
        }
    }

    /// Gives back what was set aside and not written.
    ///
    /// - Throws: `FileError.failed`.
    public func releaseReserve() throws(FileError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
            throw .failed(destination, errno: errno)
        }
    }
}
