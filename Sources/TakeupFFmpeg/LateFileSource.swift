internal import Foundation
internal import Synchronization
internal import TakeupFiles
internal import TakeupLanes

/// A byte source over one file that is opened when it is read, and again after it was closed for others.
public final class LateFileSource: ByteSource {
    /// A name for messages.
    public let name: String
    public let byteCount: Int64?
    private let limit: OpenFiles
    private let opener: @Sendable () throws(FFmpegError) -> Int32
    private let total = Atomic<Int64>(0)
    /// Held by the lane that opens the file.
    private let turn = NSLock()

    /// - Parameters:
    ///   - name: A name for messages.
    ///   - byteCount: All bytes of the file.
    ///   - limit: Files that are open at once; several sources share one.
    ///   - opener: Opens the file for reading; each time the same file with the same content. The source closes it.
    public init(
        name: String, byteCount: Int64, limit: OpenFiles,
        opener: @escaping @Sendable () throws(FFmpegError) -> Int32
    ) {
        (self.name, self.byteCount) = (name, byteCount)
        (self.limit, self.opener) = (limit, opener)
    }

    /// Reads a regular file by its path, which must lead to the same content each time.
    ///
    /// - Throws: `FFmpegError`, like `FileSource.init(path:)`.
    public convenience init(path: String, limit: OpenFiles) throws(FFmpegError) {
        _ = try FileSource(path: path)
        guard let identity = FileIdentity(path: path) else {
            throw FFmpegError(.open, status: .invalidArgument, subject: path)
        }
        self.init(name: path, byteCount: identity.bytes, limit: limit) {
            () throws(FFmpegError) in
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else {
                throw FFmpegError(.read, status: FFmpegStatus(rawValue: -errno), subject: path)
            }
            guard FileIdentity(descriptor: descriptor)?.hasContent(of: identity) == true else {
                close(descriptor)
                throw FFmpegError(.read, status: FFmpegStatus(rawValue: -ESTALE), subject: path)
            }
            return descriptor
        }
    }

    deinit { limit.forget(ObjectIdentifier(self)) }

    public var bytesRead: Int64 { total.load(ordering: .relaxed) }

    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        let file = try file()
        // The descriptor must stay open during the read, also when others push it out.
        let count = try withExtendedLifetime(file) { () throws(FFmpegError) in
            try FileSource.read(file.descriptor, into: buffer, at: offset, name: name)
        }
        total.add(Int64(count), ordering: .relaxed)
        return count
    }

    private func file() throws(FFmpegError) -> OpenFiles.Held {
        let owner = ObjectIdentifier(self)
        if let known = limit.find(owner) { return known }
        turn.lock()
        defer { turn.unlock() }
        // Another lane may have opened it while this one waited for its turn.
        if let known = limit.find(owner) { return known }
        let file = OpenFiles.Held(owning: try opener())
        posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
        limit.keep(file, for: owner)
        return file
    }
}
