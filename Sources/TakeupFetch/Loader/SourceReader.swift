internal import Foundation
internal import TakeupLanes

/// Reads one source from any place, and waits for bytes that are still to come.
///
/// It stays with the version that its first bytes were of. Calls may come from any thread.
public final class SourceReader: Sendable {
    private let session: FetchSession
    private let id: Int

    init(_ session: FetchSession) {
        self.session = session
        id = session.addReader()
    }

    deinit { session.removeReader(id) }

    /// All bytes; nil while unknown.
    public var length: Int64? { session.file.status.length }

    /// Copies bytes that are here, or waits for the first of them.
    ///
    /// - Parameters:
    ///   - target: Where they go; its size is the most that is read.
    ///   - offset: At least 0.
    ///   - isStopped: Asked a few times a second; `true` ends the wait with `.cancelled`.
    /// - Returns: How many; 0 at the end only.
    /// - Throws: `FetchError`: `.changed` when the origin's object is another one than at the first read;
    ///   `.cancelled` after `cancel`; what the download failed with.
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

    /// Waits until at least one byte from a place on is here and checked, so that `descriptor` gives it.
    ///
    /// - Parameters:
    ///   - offset: At least 0.
    ///   - count: How many are wanted, at least 1.
    ///   - isStopped: Asked a few times a second; `true` ends the wait with `.cancelled`.
    /// - Returns: How many are here, at most `count`; 0 at the end only.
    /// - Throws: As `read`.
    public func waitFor(
        _ offset: Int64, count: Int, isStopped: () -> Bool = { false }
    ) throws(FetchError) -> Int {
        precondition(count > 0, "a wait needs a byte to wait for")
        return try session.serve(id, at: offset, isStopped: isStopped) {
            (file, generation) throws(FetchError) in
            try file.available(at: offset, most: count, generation: generation)
        }
    }

    /// The data file of the version that is read, for `pread` at the places that `waitFor` has named.
    ///
    /// - Returns: Open for reading and the caller's to close.
    /// - Throws: `FetchError.changed`, `.storage`.
    public func descriptor() throws(FetchError) -> Int32 {
        try session.noteFileUse(by: id)
        return try session.file.duplicate(generation: session.generation(of: id))
    }

    /// Ends every read at once, also those to come, with `.cancelled`.
    public func cancel() { session.cancelReader(id) }
}
