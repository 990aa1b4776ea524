/// The version of a source that the stored bytes belong to; opaque to the store.
public struct SourceVersion: Codable, Equatable, Sendable {
    /// Size limit of a validator, in UTF-8 bytes.
    static let mostValidatorBytes = 8192

    /// The origin's name for the version; empty if the origin gives none.
    public var validator: String
    /// Length of the source, in bytes; nil while unknown.
    public var length: Int64?

    public init(validator: String, length: Int64? = nil) {
        (self.validator, self.length) = (validator, length)
    }
}
