/// Header fields in the order in which they came; names are compared without case.
public struct HTTPFields: Sendable, Equatable {
    /// One line of a header.
    public struct Field: Sendable, Equatable {
        public let name: String
        public let value: String
    }

    public private(set) var all: [Field] = []

    public init() {}

    public init(_ fields: [(String, String)]) {
        all = fields.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value of a name; nil where there is none.
    public subscript(name: String) -> String? {
        let wanted = name.lowercased()
        return all.first { $0.name.lowercased() == wanted }?.value
    }

    /// All values of a name, in order.
    public func values(_ name: String) -> [String] {
        let wanted = name.lowercased()
        return all.filter { $0.name.lowercased() == wanted }.map(\.value)
    }

    /// Adds a field beside those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }

    /// Replaces all fields of a name by one.
    public mutating func set(_ name: String, _ value: String) {
        let wanted = name.lowercased()
        all.removeAll { $0.name.lowercased() == wanted }
        add(name, value)
    }
}
