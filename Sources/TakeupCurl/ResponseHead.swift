/// The status and header fields of one HTTP response.
public struct ResponseHead: Equatable, Sendable {
    /// 100 to 599.
    public var status: Int
    /// In the order they came, names in lower case.
    public var fields: [Field]

    /// One header field.
    public struct Field: Equatable, Sendable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name.lowercased()
            self.value = value
        }
    }

    public init(status: Int, fields: [Field] = []) {
        self.status = status
        self.fields = fields
    }

    /// The first value of a field; the name in lower case.
    public subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}
