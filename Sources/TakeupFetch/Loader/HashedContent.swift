/// What a source's bytes were found to be, once all of them were here.
public struct HashedContent: Equatable, Sendable {
    /// 64 lower-case hexadecimal digits.
    public var sha256: String
    /// What the origin has stated of them, and is so.
    public var confirmed: [StatedDigest]
    /// What the origin has stated of them, and is not so, although they are what was asked for.
    public var refuted: [StatedDigest]
}
