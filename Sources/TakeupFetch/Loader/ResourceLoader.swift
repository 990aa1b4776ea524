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

    /// Hashes the whole source.
    ///
    /// - Returns: 64 lower-case hexadecimal digits; nil when it is not complete, or was stopped.
    /// - Throws: `FetchError.storage`, or `.changed`.
    public func sha256(isStopped: () -> Bool = { false }) throws(FetchError) -> String? {
        // The last bytes may have come a moment ago.
        if session.file.status.isWriter { try session.file.commit() }
        return try session.file.sha256(isStopped: isStopped)
    }

    /// Ends the session for everybody; what is here stays in the store.
    ///
    /// Whoever waits gets `.cancelled`.
    public func close() { session.close() }
}
