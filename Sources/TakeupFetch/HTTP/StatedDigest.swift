public import TakeupDigest

/// A digest of a whole object, as the origin states it.
public struct StatedDigest: Equatable, Codable, Sendable {
    /// The field's name, for example `Repr-Digest`.
    public var field: String
    public var algorithm: DigestAlgorithm
    /// The digest in lower-case hexadecimal, two digits for each byte.
    public var digits: String

    public init(field: String, algorithm: DigestAlgorithm, digits: String) {
        (self.field, self.algorithm, self.digits) = (field, algorithm, digits)
    }
}

extension StatedDigest: CustomStringConvertible {
    /// The field and the algorithm, for example `Repr-Digest (sha-256)`.
    public var description: String { "\(field) (\(algorithm.rawValue))" }
}
