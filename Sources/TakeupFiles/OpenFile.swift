internal import Foundation

/// A file that the caller has opened for reading and writing, and must close.
public struct OpenFile: Sendable {
    public let descriptor: Int32
    /// A name for messages.
    public let name: String

    public init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    public var byteCount: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Empties the file.
    ///
    /// - Throws: `FileError.failed`.
    public func truncate() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0 else { throw .failed(name, errno: errno) }
    }

    /// Writes bytes at the file's position.
    ///
    /// - Throws: `FileError` with `.failed` or `.diskFull`.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(
                    descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .writing(name, errno) }
            done += count
        }
    }

    /// Syncs the file to disk.
    ///
    /// - Throws: `FileError` with `.failed` or `.diskFull`.
    public func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .writing(name, errno) }
    }
}
