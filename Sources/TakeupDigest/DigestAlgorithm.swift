/// A way to sum up bytes.
public enum DigestAlgorithm: String, Codable, CaseIterable, Hashable, Sendable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"
    /// Finds what went wrong on the way; no protection against intent.
    case md5
    /// As `md5`; the sum's highest byte comes first.
    case crc32c

    /// The length of a digest, in bytes.
    public var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        case .md5: 16
        case .crc32c: 4
        }
    }
}
