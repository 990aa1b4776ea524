/// One object of a `TestOrigin`: its bytes, what it says of them, and what goes wrong with it.
public struct OriginObject: Sendable {
    /// Its bytes.
    public var content: OriginContent
    /// Its `Content-Type`; nil leaves the field out.
    public var contentType: String?
    /// Its `ETag`.
    public var tag: OriginEntityTag
    /// Its `Last-Modified`, seconds since 1970; nil leaves the field out.
    public var lastModified: Int?
    /// Its `Date`, seconds since 1970; nil is now.
    public var date: Int?
    /// More fields of every answer with its bytes.
    public var fields: [OriginField] = []
    /// What goes wrong; nothing unless told.
    public var faults = OriginFaults()
    /// What it turns into later.
    public var successions: [OriginSuccession] = []

    /// An object that is served as RFC 9110 says.
    public init(
        _ content: OriginContent, type contentType: String? = "video/mp4",
        tag: OriginEntityTag = .strong("v1"), lastModified: Int? = 1_700_000_000,
        faults: OriginFaults = OriginFaults()
    ) {
        self.content = content
        self.contentType = contentType
        self.tag = tag
        self.lastModified = lastModified
        self.faults = faults
    }
}
