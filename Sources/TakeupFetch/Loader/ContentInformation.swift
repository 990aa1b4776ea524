/// The facts about a source that are known before its bytes are read.
public struct ContentInformation: Equatable, Sendable {
    /// Length in bytes; nil while unknown.
    public var length: Int64?
    /// Whether the length is only where the connection was closed: the end may be missing.
    public var isOpenEnded: Bool
    /// The origin's content type without parameters; nil if the origin states none.
    public var contentType: String?
    /// The kind of media according to the first bytes; nil if these are not known.
    public var signature: MediaSignature?
    /// Whether a range request can fetch a distant place without the bytes before it.
    public var supportsRanges: Bool
    /// Whether every byte is stored.
    public var isComplete: Bool
    /// A text that is the same for the same version; usable as part of an identity.
    public var version: String
    /// The digests that the origin has stated so far for the whole source.
    public var statedDigests: [StatedDigest]
}
