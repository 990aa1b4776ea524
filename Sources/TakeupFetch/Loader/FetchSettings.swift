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
