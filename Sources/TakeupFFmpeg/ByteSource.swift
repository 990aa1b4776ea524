/// What a demuxer reads from: bytes at any offset, from a file or from elsewhere.
///
/// A source may serve several demuxers on several lanes at once.
public protocol ByteSource: Sendable {
    /// Bytes in all; nil when not known.
    var byteCount: Int64? { get }

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
