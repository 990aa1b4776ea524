/// What was asked of an origin, as far as its answer is judged by it.
public struct OriginQuestion: Equatable, Sendable {
    /// Where the asked bytes begin.
    public var offset: Int64
    /// The version that the bytes here belong to; nil before the first answer.
    public var version: EntityVersion?
    /// Only a changed object was asked for (`If-None-Match`, `If-Modified-Since`).
    public var isConditional: Bool
    /// Redirects followed before this answer.
    public var redirects: Int
    /// For messages, without credentials and query.
    public var address: String

    public init(
        offset: Int64, version: EntityVersion? = nil, isConditional: Bool = false,
        redirects: Int = 0, address: String
    ) {
        self.offset = offset
        self.version = version
        self.isConditional = isConditional
        self.redirects = redirects
        self.address = address
    }
}
