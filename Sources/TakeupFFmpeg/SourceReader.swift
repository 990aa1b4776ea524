internal import CTakeupFFmpeg
internal import TakeupLanes

/// Connects a byte source to FFmpeg's I/O: one position, one buffer, one demuxer.
final class SourceReader {
    /// Size of one read, in bytes: a multiple of the page size, large enough to keep calls rare.
    private static let bufferBytes = 256 * 1024

    let source: any ByteSource
    let cancellation: Cancellation
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    private var offset: Int64 = 0
    /// The first error of the source itself.
    private(set) var failure: FFmpegError?

    init(_ source: any ByteSource, _ cancellation: Cancellation) throws(FFmpegError) {
        self.source = source
        self.cancellation = cancellation
        context = nil
        guard let buffer = av_malloc(Self.bufferBytes) else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "a read buffer")
        }
        let unmanaged = Unmanaged.passUnretained(self).toOpaque()
        context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferBytes), 0, unmanaged,
            { opaque, bytes, count in SourceReader.from(opaque).read(bytes, count) }, nil,
            { opaque, offset, whence in SourceReader.from(opaque).seek(offset, whence) })
        guard context != nil else {
            av_free(buffer)
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "an I/O context")
        }
    }

    deinit {
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    private static func from(_ opaque: UnsafeMutableRawPointer?) -> SourceReader {
        guard let opaque else { preconditionFailure("the I/O context has no reader") }
        return Unmanaged<SourceReader>.fromOpaque(opaque).takeUnretainedValue()
    }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
        guard !cancellation.isCancelled else { return takeup_error_exit }
        // A broken index may point anywhere; the system reports some offsets as invalid that are
        // only too large.
        if let size = source.byteCount, offset >= size { return takeup_error_eof }
        let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        do throws(FFmpegError) {
            let filled = try source.read(into: buffer, at: offset)
            offset += Int64(filled)
            return filled == 0 ? takeup_error_eof : Int32(filled)
        } catch {
            if failure == nil { failure = error }
            return error.status.rawValue
        }
    }

    private func seek(_ target: Int64, _ whence: Int32) -> Int64 {
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE:
            return source.byteCount ?? Int64(takeup_error_invalid_argument)
        case SEEK_SET: offset = target
        case SEEK_CUR: offset += target
        case SEEK_END:
            guard let size = source.byteCount else { return Int64(takeup_error_invalid_argument) }
            offset = size + target
        default: return Int64(takeup_error_invalid_argument)
        }
        offset = max(offset, 0)
        return offset
    }
}
