import TakeupFFmpeg

/// Bytes in memory of which those from a place on cannot be read.
struct MemorySource: ByteSource {
    private let bytes: [UInt8]
    var failsFrom: Int

    init(_ bytes: [UInt8], failsFrom: Int = .max) {
        self.bytes = bytes
        self.failsFrom = failsFrom
    }

    var byteCount: Int64? { Int64(bytes.count) }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        guard offset < failsFrom else {
            throw FFmpegError(.read, status: .inputOutput, subject: "memory")
        }
        let end = min(failsFrom, bytes.count, Int(offset) + buffer.count)
        guard offset < end else { return 0 }
        buffer.copyBytes(from: bytes[Int(offset)..<end])
        return end - Int(offset)
    }
}
