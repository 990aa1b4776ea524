/// A field of a request or an answer, as it stood in the message.
public struct OriginField: Sendable, Equatable, Codable {
    /// Its name, in the case that was sent.
    public var name: String
    /// Its value, without blanks around it.
    public var value: String

    /// A field of that name and value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [OriginField] {
    /// The first value of a field, whatever the case of its name.
    public subscript(name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
