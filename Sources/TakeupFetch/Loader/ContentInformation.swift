/// What is known about a source before its bytes are read.
public struct ContentInformation: Equatable, Sendable {
    /// nil while unknown.
    public var length: Int64?
    /// As the origin calls it, without parameters; nil when it does not.
    public var contentType: String?
    /// What its first bytes are; nil when they are not known.
    public var signature: MediaSignature?
    /// Whether far places can be had without all that is before them.
    public var supportsRanges: Bool
    /// Whether every byte is here.
    public var isComplete: Bool
    /// The same text for the same version: usable as a part of an identity.
    public var version: String
    /// What the origin states of all its bytes, so far.
    public var statedDigests: [StatedDigest]
}
