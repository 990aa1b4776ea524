public import TakeupCurl

/// Settings and limits for fetching one source.
public struct FetchSettings: Sendable {
    public var addressPolicy: AddressPolicy
    public var judge: ResponseJudge
    public var limits: TransferLimits
    /// Speed limit of each transfer; nil for no limit.
    public var bytesPerSecond: Int64?
    /// How many bytes a download runs ahead of the furthest reader; nil for to the end.
    ///
    /// If an origin ignores ranges, the download always runs to the end: a stop would lose
    /// everything.
    public var aheadBytes: Int64?
    /// Size of the largest object that is stored; a larger one is only passed to its readers; nil
    /// for no limit.
    public var keptBytes: Int64?
    /// Limits of the store, checked while bytes arrive; nil for no check.
    ///
    /// If less than `minFreeBytes` is free, the store evicts what the limits do not permit. If this
    /// is not enough, the disk counts as full.
    public var storeLimits: SourceLimits?
    /// Highest number of simultaneous transfers from one host and port, over all sources of a
    /// library; at least 1.
    ///
    /// Further transfers wait in line. A transfer that waits for its readers does not count.
    public var connectionsPerHost = FetchSettings.standardConnectionsPerHost
    /// Time limit for all tries and transfers of a source, in seconds, until nobody wants more; nil
    /// for no limit.
    ///
    /// Waits for a turn, for the disk and for readers do not count. When the time is over, the
    /// fetch fails with `unreachable`.
    public var totalSeconds: Double?
    /// Additional fields of each request; possibly secret fields go only to the address's own
    /// origin.
    public var originFields: [TransferRequest.Field]
    /// The retry policy; each run of failures starts with a fresh copy.
    public var retry: OriginRetryPolicy
    /// A file with trusted certificates, used instead of the system's.
    public var authorities: String?
    /// Returns a new address for an expired one; nil if there is none.
    ///
    /// Called once for each expiry, on the download's lane.
    public var refresh: (@Sendable (WebAddress) -> WebAddress?)?
    /// Returns what reads an object (`s3://bucket/key`) for some time; nil reads no object stores.
    ///
    /// Called again for an address that has expired.
    public var objects: (@Sendable (String) throws(FetchError) -> ObjectAddress)?
    /// Returns the canonical text of an address, equal for all addresses of the same source.
    public var key: (@Sendable (WebAddress) -> String)?
    /// Seconds for which stored bytes are trusted without asking the origin.
    public var freshSeconds: Double
    /// The purpose of the session, for its log.
    public var kind: SessionLog.Kind
    /// Selects the variant of a playlist; the library sets it for addresses that may be playlists.
    var pictureLimit = PictureLimit()
    /// The turns at hosts, shared by all copies of these settings, so by all sessions of a library.
    var hostTurns = HostConnectionLimiter()

    /// Number of connections that browsers open to one host over HTTP/1.1.
    ///
    /// - Note: Source: Chromium, `kDefaultMaxSocketsPerGroup`; Firefox,
    ///   `network.http.max-persistent-connections-per-server`; both 6. RFC 9112, 9.4 asks for a
    ///   moderate number.
    public static let standardConnectionsPerHost = 6

    public init(addressPolicy: AddressPolicy = AddressPolicy()) {
        self.addressPolicy = addressPolicy
        (judge, limits, retry) = (ResponseJudge(), TransferLimits(), OriginRetryPolicy())
        (originFields, freshSeconds, kind) = ([], 60, .loader)
    }

    func keyText(_ address: WebAddress) -> String {
        let text = key?(address) ?? address.text
        return pictureLimit.isNone ? text : "\(text)\n\(pictureLimit.text)"
    }
}
