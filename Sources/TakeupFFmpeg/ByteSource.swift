/// A source of bytes for a demuxer, readable at any offset, for example a file.
///
/// Several demuxers on several lanes may use one source at once.
public protocol ByteSource: Sendable {
    /// Number of bytes; nil if unknown.
    var byteCount: Int64? { get }

    /// Number of bytes read so far, counted for every read; never falls; stays 0 if the source does
    /// not count.
    var bytesRead: Int64 { get }

    /// Reads some bytes; waits until at least one is available.
    ///
    /// - Parameters:
    ///   - buffer: The destination, at least 1 byte.
    ///   - offset: Offset of the first byte, at least 0.
    /// - Returns: The number of bytes; 0 only at the end.
    /// - Throws: `FFmpegError` with `.read`.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int
}

extension ByteSource {
    public var bytesRead: Int64 { 0 }

    /// Reads up to `bytes.count` bytes at an offset.
    ///
    /// - Returns: The number of bytes read.
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
