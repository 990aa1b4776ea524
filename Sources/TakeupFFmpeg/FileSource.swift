internal import Foundation
internal import Synchronization

/// A byte source over one open file.
public final class FileSource: ByteSource {
    /// A name for messages: the path, if the file was opened by path.
    public let name: String
    public let byteCount: Int64?
    private let descriptor: Int32
    private let total = Atomic<Int64>(0)

    /// Opens a regular file for reading.
    ///
    /// - Throws: `FFmpegError` with `.open` and the negative errno: `EISDIR` for a folder; an
    ///   invalid argument for a pipe or a device.
    public convenience init(path: String) throws(FFmpegError) {
        // Without O_NONBLOCK, opening a pipe would wait for a writer.
        try self.init(owning: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), name: path)
    }

    /// Reads a regular file that is already open, through a duplicated descriptor.
    ///
    /// - Throws: `FFmpegError`, like `init(path:)`.
    public convenience init(descriptor: Int32, name: String) throws(FFmpegError) {
        try self.init(owning: fcntl(descriptor, F_DUPFD_CLOEXEC, 3), name: name)
    }

    private init(owning descriptor: Int32, name: String) throws(FFmpegError) {
        guard descriptor >= 0 else {
            throw FFmpegError(.open, status: FFmpegStatus(rawValue: -errno), subject: name)
        }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            close(descriptor)
            let status = isFolder ? FFmpegStatus(rawValue: -EISDIR) : .invalidArgument
            throw FFmpegError(.open, status: status, subject: name)
        }
        self.name = name
        self.descriptor = descriptor
        byteCount = Int64(facts.st_size)
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit {
        close(descriptor)
    }

    public var bytesRead: Int64 { total.load(ordering: .relaxed) }

    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        let count = try Self.read(descriptor, into: buffer, at: offset, name: name)
        total.add(Int64(count), ordering: .relaxed)
        return count
    }

    /// Reads an open file at a position, again after a signal.
    static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64,
        name: String
    ) throws(FFmpegError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            guard count < 0 else { return count }
            guard errno == EINTR else {
                throw FFmpegError(.read, status: FFmpegStatus(rawValue: -errno), subject: name)
            }
        }
    }
}
