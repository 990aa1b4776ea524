internal import CTakeupLinux
internal import Foundation

/// Bytes in memory that a child can read as a file; freed with this object and the child.
public final class MemoryFile: Sendable {
    /// The file's descriptor, positioned at the start.
    public let descriptor: Int32

    /// - Throws: `ProcessError` with `.send` if there is not enough memory.
    public init(_ bytes: [UInt8]) throws(ProcessError) {
        descriptor = takeup_memory_file()
        guard descriptor >= 0 else { throw Self.failure() }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = Self.failure()
                close(descriptor)
                throw failure
            }
            written += count
        }
    }

    deinit { close(descriptor) }

    private static func failure() -> ProcessError {
        ProcessError(.send, errno: errno, subject: "a file in memory")
    }
}
