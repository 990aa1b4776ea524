import TakeupFFmpeg

/// Bytes in memory, given a few at a time, which fail from an offset on where a test asks for it.
final class MemorySource: ByteSource {
    let bytes: [UInt8]
    private let failsFrom: Int64?

    init(_ bytes: [UInt8], failsFrom: Int64? = nil) {
        self.bytes = bytes
        self.failsFrom = failsFrom
    }

    var byteCount: Int64? { Int64(bytes.count) }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        if let failsFrom, offset >= failsFrom {
            throw FFmpegError(.read, status: .inputOutput, subject: "memory")
        }
        guard offset >= 0, offset < bytes.count else { return 0 }
        let rest = bytes[Int(offset)...].prefix(min(buffer.count, 4096))
        buffer.copyBytes(from: rest)
        return rest.count
    }
}
