internal import CTakeupLinux
internal import Foundation

extension PartialFile {
    /// The method that copied a file's content.
    public enum Filling: Sendable {
        /// Both files share their blocks.
        case reflink
        /// Copied inside the kernel, or by the server of a network file system.
        case kernelCopy
        case copy
    }

    /// Most bytes in one kernel call, because a call cannot be interrupted before its end.
    private static let kernelBytes = 64 * 1024 * 1024

    /// Copies the whole content of an open file, which must not change during the copy.
    ///
    /// - Parameters:
    ///   - source: A file open for reading; its position is neither used nor changed.
    ///   - isStopped: Polled between chunks.
    /// - Returns: The method; nil if stopped, which leaves the file incomplete.
    /// - Throws: `FileError` with `.failed` or `.diskFull`.
    public func fill(
        from source: Int32, isStopped: () -> Bool = { false }
    ) throws(FileError) -> Filling? {
        try truncate()
        if takeup_share_blocks(descriptor, source) == 0 { return .reflink }
        var offset: Int64 = 0
        while !isStopped() {
            let count = takeup_copy_range(source, descriptor, offset, Self.kernelBytes)
            if count > 0 {
                offset += count
                continue
            }
            let reason = Int32(-count)
            if reason == EINTR { continue }
            // Some file systems report the end too early; only a read is reliable.
            if count == 0 {
                guard offset == 0 else { return .kernelCopy }
                return try copyAll(from: source, to: descriptor, isStopped) ? .copy : nil
            }
            guard [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP, EPERM, EBADF].contains(reason) else {
                throw .writing(destination, reason)
            }
            return try copyAll(from: source, to: descriptor, isStopped) ? .copy : nil
        }
        return nil
    }

    /// - Returns: `false` if stopped.
    func copyAll(
        from source: Int32, to copy: Int32, _ isStopped: () -> Bool = { false }
    ) throws(FileError) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1024 * 1024)
        var offset: off_t = 0
        while !isStopped() {
            let count = pread(source, &bytes, bytes.count, offset)
            if count == 0 { return true }
            if count > 0 {
                let written = pwrite(copy, bytes, count, offset)
                // After a short write, the rest is read again.
                if written >= 0 { offset += off_t(written) }
                if written >= 0 || errno == EINTR { continue }
            } else if errno == EINTR {
                continue
            }
            throw .writing(destination, errno)
        }
        return false
    }
}
