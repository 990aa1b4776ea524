internal import Foundation

/// The bytes of one open file.
public final class FileSource: ByteSource {
    public let path: String
    public let byteCount: Int64?
    private let descriptor: Int32

    /// Opens a regular file for reading.
    ///
    /// - Throws: `FFmpegError` with `.open` and the negative errno; a folder, a pipe or a device
    ///   is an invalid argument.
    public init(path: String) throws(FFmpegError) {
        self.path = path
        // Without O_NONBLOCK the open of a pipe would wait for a writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw FFmpegError(.open, status: FFmpegStatus(rawValue: -errno), subject: path)
        }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FFmpegError(.open, status: .invalidArgument, subject: path)
        }
        byteCount = Int64(facts.st_size)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit {
        close(descriptor)
    }

    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw FFmpegError(.read, status: FFmpegStatus(rawValue: -errno), subject: path)
            }
        }
    }
}
