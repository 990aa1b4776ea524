public import TakeupDigest

/// What an origin states to be the digest of a whole object.
public struct StatedDigest: Equatable, Codable, Sendable {
    /// The field's name, such as `Repr-Digest`.
    public var field: String
    public var algorithm: DigestAlgorithm
    /// Lower-case hexadecimal, two for each byte.
    public var digits: String

    public init(field: String, algorithm: DigestAlgorithm, digits: String) {
        (self.field, self.algorithm, self.digits) = (field, algorithm, digits)
    }
}

extension StatedDigest: CustomStringConvertible {
    /// `Repr-Digest (sha-256)`.
    public var description: String { "\(field) (\(algorithm.rawValue))" }
}
