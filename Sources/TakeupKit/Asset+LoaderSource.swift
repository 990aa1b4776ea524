public import TakeupExport
internal import TakeupFFmpeg
internal import TakeupFetch
public import TakeupWorker

extension Asset {
    /// Reads an address while it is fetched, in this process.
    ///
    /// - Parameter source: Tells in `failure` why a read failed; the export only knows that one did.
    public convenience init(source: LoaderSource) {
        self.init(source: LoaderBytes(source), name: source.name)
    }
}

/// An address as a demuxer reads it.
private final class LoaderBytes: ByteSource {
    private let source: LoaderSource

    init(_ source: LoaderSource) { self.source = source }

    var name: String { source.name }
    var byteCount: Int64? { source.byteCount }
    var bytesRead: Int64 { source.bytesRead }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FFmpegError) -> Int {
        do throws(FetchError) {
            return try source.read(into: buffer, at: offset)
        } catch {
            throw FFmpegError(
                .read, status: error == .cancelled ? .interrupted : .inputOutput, subject: name)
        }
    }
}
