/// A hash or checksum algorithm.
public enum DigestAlgorithm: String, Codable, CaseIterable, Hashable, Sendable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"
    /// Detects accidental changes; no protection against intent.
    case md5
    /// Detects accidental changes; no protection against intent. The highest byte comes first.
    case crc32c
    /// Detects accidental changes; no protection against intent.
    case sha1 = "sha-1"

    /// The length of a digest, in bytes.
    public var byteCount: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        case .md5: 16
        case .sha1: 20
        case .crc32c: 4
        }
    }
}
