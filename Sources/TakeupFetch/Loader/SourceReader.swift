internal import Foundation
internal import TakeupLanes

/// Reads one source from any offset and waits for bytes that have not arrived yet.
///
/// A reader stays with the version of its first bytes. Call from any thread.
public final class SourceReader: Sendable {
    private let session: FetchSession
    private let id: Int

    init(_ session: FetchSession) {
        self.session = session
        id = session.addReader()
    }

    deinit { session.removeReader(id) }

    /// Length of the source, in bytes; nil while unknown.
    public var length: Int64? { session.file.status.length }

    /// Copies present bytes, or first waits for at least one.
    ///
    /// - Parameters:
    ///   - target: The destination; its size limits the read.
    ///   - offset: Offset of the first byte, at least 0.
    ///   - isStopped: Polled a few times a second; `true` ends the wait with `.cancelled`.
    /// - Returns: The number of bytes; 0 only at the end.
    /// - Throws: `FetchError`: `.changed` if the origin's object differs from that of the first
    ///   read; `.cancelled` after `cancel`; the download's error.
    public func read(
        into target: UnsafeMutableRawBufferPointer, at offset: Int64,
        isStopped: () -> Bool = { false }
    ) throws(FetchError) -> Int {
        guard !target.isEmpty else { return 0 }
        return try session.serve(id, at: offset, isStopped: isStopped) {
            (file, generation) throws(FetchError) in
            try file.read(into: target, at: offset, generation: generation)
        }
    }

    /// Waits until at least one byte at an offset is present and checked, so that `descriptor` can
    /// read it.
    ///
    /// - Parameters:
    ///   - offset: Offset of the first byte, at least 0.
    ///   - count: Number of wanted bytes, at least 1.
    ///   - isStopped: Polled a few times a second; `true` ends the wait with `.cancelled`.
    /// - Returns: The number of present bytes, at most `count`; 0 only at the end.
    /// - Throws: The errors of `read`.
    public func waitFor(
        _ offset: Int64, count: Int, isStopped: () -> Bool = { false }
    ) throws(FetchError) -> Int {
        precondition(count > 0, "a wait needs a byte to wait for")
        return try session.serve(id, at: offset, isStopped: isStopped) {
            (file, generation) throws(FetchError) in
            try file.available(at: offset, most: count, generation: generation)
        }
    }

    /// Opens the data file of the reader's version, for `pread` at offsets that `waitFor` has
    /// confirmed.
    ///
    /// - Returns: A descriptor open for reading; the caller must close it.
    /// - Throws: `FetchError.changed`, `.storage`.
    public func descriptor() throws(FetchError) -> Int32 {
        try session.noteFileUse(by: id)
        return try session.file.duplicate(generation: session.generation(of: id))
    }

    /// Ends all current and future reads with `.cancelled`.
    public func cancel() { session.cancelReader(id) }
}
