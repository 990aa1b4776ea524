internal import TakeupFFmpeg

/// A source whose bytes are in memory.
struct MemorySource: ByteSource {
    let bytes: [UInt8]

    var byteCount: Int64? { Int64(bytes.count) }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        guard offset >= 0, offset < bytes.count else { return 0 }
        let rest = bytes[Int(offset)...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
    }
}
