/// What one session did, for the access log; its JSON has the names of the log.
///
/// Of Apple's fields some are missing: a session does not read its media, so that it knows neither bit rates nor frames,
/// and there is one way to the network only.
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
    /// Those of them that took a second or longer.
    public var overdueReads = 0
    /// To readers, each time that they read them.
    public var deliveredBytes: Int64 = 0
    /// All bytes of the source, once somebody has waited for all of them.
    public var completedBytes: Int64 = 0
    /// Here when the session began.
    public var cacheBytes: Int64 = 0
    /// Readers that joined a session instead of fetching for themselves.
    public var coalesced = 0
    public var retries = 0
    public var versionChanges = 0
    /// Came but were here already, or belonged to a version that is gone.
    public var discardedBytes: Int64 = 0
    /// `complete` when every byte was here at the end, else `partial`; `passed through` when the disk did not take the
    /// bytes; or the last error in short, such as `status 404`, `unreachable` or `checksum mismatch`.
    public var result = "partial"

    /// On the whole; nil before the first byte.
    public var observedBytesPerSecond: Double? {
        originSeconds > 0 ? Double(originBytes) / originSeconds : nil
    }

    /// Delivered, or waited for, without having been fetched in this session.
    public var savedBytes: Int64 { max(0, max(deliveredBytes, completedBytes) - originBytes) }

    public init(sessionID: String, kind: Kind, url: String, startedAt: Double) {
        (self.sessionID, self.kind) = (sessionID, kind)
        (self.url, self.startedAt) = (url, startedAt)
    }

    enum CodingKeys: String, CodingKey {
        case sessionID = "session_id"
        case kind, url
        case peerAddress = "peer_ip"
        case peerChanges = "peer_changes"
        case startedAt = "started_at"
        case endedAt = "ended_at"
        case startOffset = "start_offset"
        case ttfbSeconds = "ttfb_seconds"
        case originRequests = "origin_requests"
        case originBytes = "origin_bytes"
        case originSeconds = "origin_seconds"
        case minBytesPerSecond = "min_bytes_per_second"
        case maxBytesPerSecond = "max_bytes_per_second"
        case bytesPerSecondDeviation = "stddev_bytes_per_second"
        case readerStalls = "reader_stalls"
        case readerStallSeconds = "reader_stall_seconds"
        case overdueReads = "overdue"
        case deliveredBytes = "delivered_bytes"
        case completedBytes = "completed_bytes"
        case cacheBytes = "cache_bytes"
        case coalesced, retries
        case versionChanges = "version_changes"
        case discardedBytes = "discarded_bytes"
        case result
    }
}
