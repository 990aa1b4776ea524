/// The current state of a session.
public struct LoaderStatus: Equatable, Sendable {
    public enum Phase: String, Sendable {
        /// Nothing is being fetched.
        case idle
        case fetching
        /// The session waits for the next try.
        case retrying
        /// Another process fetches.
        case following
        case complete
        case failed
        case closed
    }

    public var phase: Phase
    public var presentBytes: Int64
    /// Length of the source, in bytes; nil while unknown.
    public var totalBytes: Int64?
    public var originBytes: Int64
    public var originRequests: Int
    public var retries: Int
    /// The reason why bytes are passed on without being stored; nil while they are stored.
    public var storageFailure: FetchError?
}
