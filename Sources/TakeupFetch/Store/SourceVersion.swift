/// Which state of a source the stored bytes belong to; opaque here.
public struct SourceVersion: Codable, Equatable, Sendable {
    /// Bytes that one may have, in UTF-8.
    static let mostValidatorBytes = 8192

    /// What the origin calls it; empty where it calls it nothing.
    public var validator: String
    /// All its bytes; nil while unknown.
    public var length: Int64?

    public init(validator: String, length: Int64? = nil) {
        (self.validator, self.length) = (validator, length)
    }
}
