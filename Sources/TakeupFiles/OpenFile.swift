internal import Foundation

/// A file that someone else has opened for reading and writing, and will close.
public struct OpenFile: Sendable {
    public let descriptor: Int32
    /// For messages.
    public let name: String

    public init(_ descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    public var byteCount: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// Empties it.
    ///
    /// - Throws: `FileError.failed`.
    public func truncate() throws(FileError) {
        guard ftruncate(descriptor, 0) == 0 else { throw .failed(name, errno: errno) }
    }

    /// Appends bytes at its position.
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

    /// Writes what the system still holds in memory to the disk.
    ///
    /// - Throws: `FileError` with `.failed` or `.diskFull`.
    public func synchronize() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .writing(name, errno) }
    }
}
