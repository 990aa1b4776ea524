/// What a demuxer reads from: bytes at any offset, from a file or from elsewhere.
///
/// A source may serve several demuxers on several lanes at once.
public protocol ByteSource: Sendable {
    /// Bytes in all; nil when not known.
    var byteCount: Int64? { get }

    /// Bytes that were read so far, each time that they were; never falls, and stays 0 where nobody counts.
    var bytesRead: Int64 { get }

    /// Reads some bytes, waiting until there are any.
    ///
    /// - Parameters:
    ///   - buffer: Where they go; at least 1 byte.
    ///   - offset: From where, at least 0.
    /// - Returns: How many; 0 only at the end.
    /// - Throws: `FFmpegError` with `.read`.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int
}

extension ByteSource {
    public var bytesRead: Int64 { 0 }

    /// Reads up to `bytes.count` bytes from one place.
    ///
    /// - Returns: How many were there.
    public func bytes(at offset: Int64, into bytes: inout [UInt8]) throws(FFmpegError) -> Int {
        var filled = 0
        if let byteCount, offset >= byteCount { return 0 }
        while filled < bytes.count {
            var outcome: Result<Int, FFmpegError> = .success(0)
            bytes.withUnsafeMutableBytes { buffer in
                do throws(FFmpegError) {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    outcome = .success(try read(into: rest, at: offset + Int64(filled)))
                } catch {
                    outcome = .failure(error)
                }
            }
            let count = try outcome.get()
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }
}
