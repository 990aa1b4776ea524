internal import CTakeupFFmpeg
internal import Foundation
internal import TakeupFiles

/// Connects an open file to FFmpeg's I/O for writing.
final class OutputWriter {
    /// Size of one write, in bytes; large enough to keep calls rare.
    private static let bufferBytes = 512 * 1024
    private static let writeBackBytes: Int64 = 32 * 1024 * 1024

    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    private let descriptor: Int32
    private var offset: Int64 = 0
    private var end: Int64 = 0
    /// Offset up to which write-back has begun, so that the last sync is short.
    private var begun: Int64 = 0
    /// The errno of the first failed write.
    private(set) var failure: Int32?
    /// Called for every write with the position in the file, from 0 to 1; `false` stops the
    /// writing.
    var goesOn: (Double) -> Bool = { _ in true }

    init(_ descriptor: Int32) throws(FFmpegError) {
        self.descriptor = descriptor
        context = nil
        guard let buffer = av_malloc(Self.bufferBytes) else {
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "a write buffer")
        }
        context = takeup_avio_alloc_writer(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferBytes),
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, bytes, count in OutputWriter.from(opaque).write(bytes, count) },
            { opaque, offset, whence in OutputWriter.from(opaque).seek(offset, whence) })
        guard context != nil else {
            av_free(buffer)
            throw FFmpegError(.allocate, status: .outOfMemory, subject: "an I/O context")
        }
        // Otherwise libavformat flushes the buffer after every packet.
        context?.pointee.min_packet_size = Int32(Self.bufferBytes)
    }

    deinit {
        if let context { av_freep(&context.pointee.buffer) }
        avio_context_free(&context)
    }

    private static func from(_ opaque: UnsafeMutableRawPointer?) -> OutputWriter {
        guard let opaque else { preconditionFailure("the I/O context has no writer") }
        return Unmanaged<OutputWriter>.fromOpaque(opaque).takeUnretainedValue()
    }

    private func write(_ bytes: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
        var done = 0
        while done < Int(count) {
            let written = pwrite(
                descriptor, bytes.map { $0 + done }, Int(count) - done, off_t(offset))
            if written < 0 {
                if errno == EINTR { continue }
                if failure == nil { failure = errno }
                return -errno
            }
            done += written
            offset += Int64(written)
        }
        end = max(end, offset)
        guard goesOn(Double(offset) / Double(max(1, end))) else { return takeup_error_exit }
        if offset - begun >= Self.writeBackBytes {
            WriteBack.begin(descriptor, begun..<offset)
            begun = offset
        }
        return count
    }

    private func seek(_ target: Int64, _ whence: Int32) -> Int64 {
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return end
        case SEEK_SET: offset = target
        case SEEK_CUR: offset += target
        case SEEK_END: offset = end + target
        default: return Int64(takeup_error_invalid_argument)
        }
        // Rewritten bytes must be written back again.
        begun = min(begun, offset)
        return offset
    }
}
