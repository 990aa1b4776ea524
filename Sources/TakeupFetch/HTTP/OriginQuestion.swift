/// The facts of a request that are needed to judge its answer.
public struct OriginQuestion: Equatable, Sendable {
    /// Offset of the first requested byte.
    public var offset: Int64
    /// Number of requested bytes, as far as the known object has them; nil if the whole object was
    /// requested, or everything from the offset to an unknown end.
    public var count: Int64?
    /// Whether a range was requested, and not the whole object.
    public var isRanged: Bool
    /// The version of the stored bytes; nil before the first answer.
    public var version: EntityVersion?
    /// Whether the request asked only for a changed object (`If-None-Match`, `If-Modified-Since`).
    public var isConditional: Bool
    /// Number of redirects followed before this answer.
    public var redirects: Int
    /// The address for messages, without credentials and query.
    public var address: String

    public init(
        offset: Int64, count: Int64? = nil, isRanged: Bool = true,
        version: EntityVersion? = nil, isConditional: Bool = false, redirects: Int = 0,
        address: String
    ) {
        self.offset = offset
        self.count = count
        self.isRanged = isRanged
        self.version = version
        self.isConditional = isConditional
        self.redirects = redirects
        self.address = address
    }
}
