/// Where a session stands.
public struct LoaderStatus: Equatable, Sendable {
    public enum Phase: String, Sendable {
        /// Nothing is fetched now.
        case idle
        case fetching
        /// Waits for the next try.
        case retrying
        /// Another process fetches.
        case following
        case complete
        case failed
        case closed
    }

    public var phase: Phase
    public var presentBytes: Int64
    /// nil while unknown.
    public var totalBytes: Int64?
    public var originBytes: Int64
    public var originRequests: Int
    public var retries: Int
    /// Why the bytes go to the readers without being kept; nil while they are kept.
    public var storageFailure: FetchError?
}
