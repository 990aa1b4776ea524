internal import CTakeupLinux
internal import Foundation

extension PartialFile {
    /// Reserves disk space for later writes without changing the file's length.
    ///
    /// `truncate` releases the space.
    ///
    /// - Parameter bytes: Number of bytes from the file's start, above 0.
    /// - Returns: `false` if the file system cannot reserve space.
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

    /// Releases reserved space that was not written.
    ///
    /// - Throws: `FileError.failed`.
    public func releaseReserve() throws(FileError) {
        guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
            throw .failed(destination, errno: errno)
        }
    }
}
