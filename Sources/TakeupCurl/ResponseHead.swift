/// The status and header fields of one HTTP response.
public struct ResponseHead: Equatable, Sendable {
    /// Status code, 100 to 599.
    public var status: Int
    /// The fields in order of arrival, with names in lower case.
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

    /// Returns the first value of a field; `name` must be in lower case.
    public subscript(name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}
