/// The access log entry of one session; its JSON uses the log's field names.
///
/// Some of Apple's fields are missing. A session does not parse its media, so it knows neither bit
/// rates nor frames. A session also has only one kind of network access.
///
/// - Note: Source: the fields of Apple's `AVPlayerItemAccessLogEvent`; nil if nothing is known.
public struct SessionLog: Codable, Equatable, Sendable {
    /// The purpose of the bytes.
    public enum Kind: String, Codable, Sendable {
        case proxy, loader, export, prefetch
    }

    public var sessionID: String
    public var kind: Kind
    /// The address without credentials and query.
    public var url: String
    public var peerAddress: String?
    public var peerChanges = 0
    /// Time of the start, in seconds since 1970.
    public var startedAt: Double
    public var endedAt: Double?
    /// Offset at which the first reader began.
    public var startOffset: Int64?
    /// Time to the first byte of the first request, in seconds.
    public var ttfbSeconds: Double?
    public var originRequests = 0
    public var originBytes: Int64 = 0
    public var originSeconds = 0.0
    public var minBytesPerSecond: Double?
    public var maxBytesPerSecond: Double?
    public var bytesPerSecondDeviation: Double?
    /// Number of times that a reader had to wait.
    public var readerStalls = 0
    public var readerStallSeconds = 0.0
    /// Number of those waits that took a second or longer.
    public var overdueReads = 0
    /// Bytes delivered to readers, counted for every read.
    public var deliveredBytes: Int64 = 0
    /// Length of the source in bytes, once somebody has waited for all of them.
    public var completedBytes: Int64 = 0
    /// Bytes that were present when the session began.
    public var cacheBytes: Int64 = 0
    /// Number of readers that joined a session instead of fetching on their own.
    public var coalesced = 0
    public var retries = 0
    public var versionChanges = 0
    /// Bytes that arrived although already present, or that belonged to a version that is gone.
    public var discardedBytes: Int64 = 0
    /// The result of the session, as a short text.
    ///
    /// - `complete`: every byte was present at the end.
    /// - `partial`: some bytes were missing.
    /// - `passed through`: the disk did not take the bytes.
    /// - Otherwise the last error in short form, for example `status 404` or `checksum mismatch`.
    public var result = "partial"

    /// Average speed of all transfers; nil before the first byte.
    public var observedBytesPerSecond: Double? {
        originSeconds > 0 ? Double(originBytes) / originSeconds : nil
    }

    /// Bytes that were delivered or waited for, but not fetched in this session.
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
