internal import TakeupLanes

/// Serves one source's bytes, from the disk and from the origin, to any number of readers.
///
/// Call from any thread; blocking calls belong on a lane. Bytes are fetched while somebody reads or
/// waits, and each byte only once.
public final class ResourceLoader: Sendable {
    let session: FetchSession
    /// The source is read as it is, and not as media.
    private let isForPlayers: Bool

    init(_ session: FetchSession, isForPlayers: Bool) {
        (self.session, self.isForPlayers) = (session, isForPlayers)
        session.state.withLock { state in
            if isForPlayers { state.hasPlayers = true } else { state.hasOthers = true }
        }
    }

    /// The address without credentials and query.
    public var address: String { session.file.address }
    /// The key of the source in the store.
    public var key: SourceKey { session.file.key }

    /// Waits until the facts about the source are known; asks the origin only if the stored bytes
    /// are not trusted.
    ///
    /// - Parameter isStopped: Polled while waiting; `true` ends the wait with `.cancelled`.
    /// - Returns: The facts that are known now.
    /// - Throws: Any `FetchError`.
    public func information(
        isStopped: () -> Bool = { false }
    ) throws(FetchError) -> ContentInformation {
        try session.information(isForPlayers: isForPlayers, isStopped: isStopped)
    }

    /// Creates a reader, which can read from any offset.
    ///
    /// While a reader is active, bytes are fetched.
    public func reader() -> SourceReader { SourceReader(session) }

    /// The current state of the session.
    public var status: LoaderStatus { session.status }

    /// The log of the session so far.
    public var log: SessionLog { session.currentLog }

    /// Waits until every byte is present, whatever the read-ahead window.
    ///
    /// - Parameters:
    ///   - isStopped: Polled a few times a second; `true` ends the wait with `.cancelled`.
    ///   - onProgress: Called as often, on this thread.
    /// - Throws: Any `FetchError`.
    public func waitUntilComplete(
        isStopped: () -> Bool = { false }, onProgress: (LoaderStatus) -> Void = { _ in }
    ) throws(FetchError) {
        try session.waitUntilComplete(isStopped: isStopped, onProgress: onProgress)
    }

    /// Stops storing: from the next bytes on, bytes only pass to the readers, as if the disk were
    /// full.
    ///
    /// - Parameter errno: The reason, for example `ENOSPC`; `status.storageFailure` reports it.
    public func keepNothing(because errno: Int32) {
        let refusal = FetchError.storage(path: session.store.path, errno: errno)
        session.state.withLock { $0.refusal = refusal }
    }

    /// Returns a stream of events from now on, until the stream is dropped or the session ends.
    ///
    /// A subscriber that is too slow loses the oldest events.
    public func events() -> AsyncStream<FetchEvent> { session.hub.subscribe() }

    /// Hashes the source while it arrives, for a later call of `sha256`; call before the first byte
    /// is requested.
    public func hashAsItComes() { session.file.hashAsItComes() }

    /// Hashes the whole source and compares it with every digest that the origin has stated.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; nil if the source is not complete or the work
    ///   was stopped.
    /// - Throws: `FetchError.storage`, `.changed`; `.checksumMismatch`, after which the bytes are
    ///   gone.
    public func sha256(isStopped: () -> Bool = { false }) throws(FetchError) -> String? {
        try hashed(isStopped: isStopped)?.sha256
    }

    /// Hashes the whole source like `sha256`, and also returns the confirmed and refuted digests.
    ///
    /// - Parameters:
    ///   - expected: 64 hexadecimal digits that prove the content right, whatever the origin
    ///     states.
    ///   - isStopped: Polled during the work; `true` stops it.
    /// - Returns: nil if the source is not complete or the work was stopped.
    /// - Throws: The errors of `sha256`.
    public func hashed(
        expecting expected: String? = nil, isStopped: () -> Bool = { false }
    ) throws(FetchError) -> HashedContent? {
        try session.hashed(expecting: expected?.lowercased(), isStopped: isStopped)
    }

    /// The digests that the origin has stated for the present bytes, in this session or before.
    public var statedDigests: [StatedDigest] { session.statedDigests() }

    /// Removes the source from the store once nobody has it open, so that it is fetched again.
    ///
    /// - Throws: `FetchError.storage`.
    public func remove() throws(FetchError) { _ = try session.store.remove(session.file.key) }

    /// Closes the session for everybody; present bytes stay in the store.
    ///
    /// All waits end with `.cancelled`. Blocks until the current request has ended.
    public func close() { session.close() }
}
