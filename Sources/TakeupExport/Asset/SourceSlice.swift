internal import TakeupFFmpeg

/// A part of a source, readable as a separate source.
struct SourceSlice: ByteSource {
    private let whole: any ByteSource
    private let seam: SourceSeam
    private let end: Int64

    /// - Parameters:
    ///   - whole: The whole source.
    ///   - seam: Where the part begins.
    ///   - end: Where the part ends, in bytes of the whole source.
    init(_ whole: any ByteSource, from seam: SourceSeam, to end: Int64) {
        self.whole = whole
        self.seam = seam
        self.end = end
    }

    var byteCount: Int64? { Int64(seam.head.count) + end - seam.place }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        let head = Int64(seam.head.count)
        if offset < head {
            let bytes = seam.head[Int(offset)...].prefix(buffer.count)
            buffer.copyBytes(from: bytes)
            return bytes.count
        }
        let place = seam.place + offset - head
        let count = min(Int64(buffer.count), end - place)
        guard count > 0 else { return 0 }
        return try whole.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(count))), at: place)
    }
}
