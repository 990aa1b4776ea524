public import TakeupCurl

/// How one source's bytes are fetched, and within which limits.
public struct FetchSettings: Sendable {
    public var addressPolicy: AddressPolicy
    public var judge: ResponseJudge
    public var limits: TransferLimits
    /// Of each transfer; nil for as fast as can be.
    public var bytesPerSecond: Int64?
    /// How far a download goes ahead of the furthest reader; nil for to the end.
    ///
    /// An origin that ignores ranges is read to the end in any case: a stop would cost everything again.
    public var aheadBytes: Int64?
    /// A larger object goes to its readers without being kept; nil for what the disk takes.
    public var keptBytes: Int64?
    /// Looked at while bytes come: once less is free than `minFreeBytes`, the store lets go what these limits do not
    /// permit, and where that is not enough the disk counts as full; nil for what the disk takes.
    public var storeLimits: SourceLimits?
    /// Transfers from one host and port at a time, over all sources of a library; the others wait in line.
    ///
    /// One that waits for its readers does not count. At least 1.
    public var connectionsPerHost = FetchSettings.standardConnectionsPerHost
    /// How long the tries and transfers of a source may take together, in seconds, until nobody wants more of it; nil
    /// for no limit.
    ///
    /// Waits for a turn, for the disk and for readers do not count. What is over ends as `unreachable`.
    public var totalSeconds: Double?
    /// More fields of each request; those that may be secret stay with the address's own origin.
    public var originFields: [TransferRequest.Field]
    /// Fresh for each run of failures.
    public var retry: OriginRetryPolicy
    /// A file with the certificates that are trusted instead of the system's.
    public var authorities: String?
    /// Gives a new address for one whose right has ended; nil when there is none.
    ///
    /// Called once for each end, on the lane of the download.
    public var refresh: (@Sendable (WebAddress) -> WebAddress?)?
    /// The canonical text of an address: the same for everything that is the same source.
    public var key: (@Sendable (WebAddress) -> String)?
    /// How long stored bytes are trusted without asking the origin.
    public var freshSeconds: Double
    /// For the session's log.
    public var kind: SessionLog.Kind
    /// Which variant of a playlist is taken; set by the library, for addresses that may be playlists.
    var pictureLimit = PictureLimit()
    /// Shared by all that are copied from one, so by the sessions of a library.
    var hostTurns = HostConnectionLimiter()

    /// What browsers open to one host over HTTP/1.1.
    ///
    /// - Note: Source: Chromium, `kDefaultMaxSocketsPerGroup`; Firefox,
    ///   `network.http.max-persistent-connections-per-server`; both 6. RFC 9112, 9.4 asks for a moderate number.
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
