/// A web address that reads an object of a store for some time.
public struct ObjectAddress: Sendable {
    /// A secret: whoever has it may read the object.
    public let text: String
    /// A file of certificates that the store's is trusted by; nil for those of all addresses.
    public let authorities: String?

    public init(_ text: String, authorities: String?) {
        (self.text, self.authorities) = (text, authorities)
    }
}
