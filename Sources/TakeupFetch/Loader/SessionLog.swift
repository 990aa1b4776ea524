/// What one session did, for the access log.
///
/// - Note: Source: the fields of Apple's `AVPlayerItemAccessLogEvent`; nil where nothing is known.
public struct SessionLog: Codable, Equatable, Sendable {
    /// What the bytes were for.
    public enum Kind: String, Codable, Sendable {
        case proxy, loader, export, prefetch
    }

    public var sessionID: String
    public var kind: Kind
    /// Without credentials and query.
    public var url: String
    public var peerAddress: String?
    public var peerChanges = 0
    /// Seconds since 1970.
    public var startedAt: Double
    public var endedAt: Double?
    /// Where the first reader began.
    public var startOffset: Int64?
    /// Of the first request.
    public var ttfbSeconds: Double?
    public var originRequests = 0
    public var originBytes: Int64 = 0
    public var originSeconds = 0.0
    public var minBytesPerSecond: Double?
    public var maxBytesPerSecond: Double?
    public var bytesPerSecondDeviation: Double?
    /// Times that a reader had to wait.
    public var readerStalls = 0
    public var readerStallSeconds = 0.0
    public var deliveredBytes: Int64 = 0
    /// Here when the session began.
    public var cacheBytes: Int64 = 0
    /// Readers that joined a session instead of fetching for themselves.
    public var coalesced = 0
    public var retries = 0
    public var versionChanges = 0
    /// Came but were here already, or belonged to a version that is gone.
    public var discardedBytes: Int64 = 0
    /// `complete`, `partial`, `passed through` when the disk did not take the bytes, or the last error in short.
    public var result = "partial"

    /// On the whole; nil before the first byte.
    public var observedBytesPerSecond: Double? {
        originSeconds > 0 ? Double(originBytes) / originSeconds : nil
    }

    /// Delivered without having been fetched in this session.
    public var savedBytes: Int64 { max(0, deliveredBytes - originBytes) }

    public init(sessionID: String, kind: Kind, url: String, startedAt: Double) {
        (self.sessionID, self.kind) = (sessionID, kind)
        (self.url, self.startedAt) = (url, startedAt)
    }
}
