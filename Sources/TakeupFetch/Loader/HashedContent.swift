/// The result of hashing a complete source.
public struct HashedContent: Equatable, Sendable {
    /// 64 lower-case hexadecimal digits.
    public var sha256: String
    /// Stated digests that match the bytes.
    public var confirmed: [StatedDigest]
    /// Stated digests that do not match, although the bytes are the expected ones.
    public var refuted: [StatedDigest]
}
