internal import TakeupLanes

/// One source's bytes, from the disk and from the origin, for any number of readers.
///
/// All calls may come from any thread; those that block belong on a lane. Bytes are fetched while somebody reads or
/// waits, and each byte once.
public final class ResourceLoader: Sendable {
    let session: FetchSession

    init(_ session: FetchSession) {
        self.session = session
    }

    /// Without credentials and query.
    public var address: String { session.file.address }
    /// What the source is called in the store.
    public var key: SourceKey { session.file.key }

    /// Waits until it is known what the source is; asks the origin only where the disk cannot be trusted.
    ///
    /// - Parameter isStopped: Asked now and then; `true` ends the wait with `.cancelled`.
    /// - Returns: What is known now.
    /// - Throws: Any `FetchError`.
    public func information(
        isStopped: () -> Bool = { false }
    ) throws(FetchError) -> ContentInformation {
        try session.information(isStopped: isStopped)
    }

    /// Somebody who reads from any place; while there is one, bytes are fetched.
    public func reader() -> SourceReader { SourceReader(session) }

    /// Where the session stands.
    public var status: LoaderStatus { session.status }

    /// What the session did until now.
    public var log: SessionLog { session.currentLog }

    /// Waits until every byte is here, window or not.
    ///
    /// - Parameters:
    ///   - isStopped: Asked a few times a second; `true` ends the wait with `.cancelled`.
    ///   - onProgress: Called as often, on this thread.
    /// - Throws: Any `FetchError`.
    public func waitUntilComplete(
        isStopped: () -> Bool = { false }, onProgress: (LoaderStatus) -> Void = { _ in }
    ) throws(FetchError) {
        try session.waitUntilComplete(isStopped: isStopped, onProgress: onProgress)
    }

    /// Lets the bytes go to the readers from the next ones on, without being kept, as when the disk is full.
    ///
    /// - Parameter errno: Why, as `status.storageFailure` then says, such as `ENOSPC`.
    public func keepNothing(because errno: Int32) {
        let refusal = FetchError.storage(path: session.store.path, errno: errno)
        session.state.withLock { $0.refusal = refusal }
    }

    /// What happens from now on, until the stream is dropped or the session ends.
    ///
    /// Who does not keep up loses the oldest events.
    public func events() -> AsyncStream<FetchEvent> { session.hub.subscribe() }

    /// Hashes the source while it comes, for who will ask for its `sha256`; called before its first byte is asked for.
    public func hashAsItComes() { session.file.hashAsItComes() }

    /// Hashes the whole source, and compares it with every digest that the origin has stated of it.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; nil when it is not complete, or was stopped.
    /// - Throws: `FetchError.storage`, `.changed`; `.checksumMismatch`, after which its bytes are gone.
    public func sha256(isStopped: () -> Bool = { false }) throws(FetchError) -> String? {
        try hashed(isStopped: isStopped)?.sha256
    }

    /// As `sha256`, and tells what was confirmed.
    ///
    /// - Parameters:
    ///   - expected: 64 hexadecimal digits that make the content right, whatever the origin states of it.
    ///   - isStopped: Asked now and then; `true` ends the work.
    /// - Returns: nil when it is not complete, or was stopped.
    /// - Throws: As `sha256`.
    public func hashed(
        expecting expected: String? = nil, isStopped: () -> Bool = { false }
    ) throws(FetchError) -> HashedContent? {
        try session.hashed(expecting: expected?.lowercased(), isStopped: isStopped)
    }

    /// What the origin has stated of the bytes that are here, in this session or before.
    public var statedDigests: [StatedDigest] { session.statedDigests() }

    /// Ends the session for everybody; what is here stays in the store.
    ///
    /// Whoever waits gets `.cancelled`. Blocks until the request under way has ended.
    public func close() { session.close() }
}
