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
        all.first { Self.isSame($0.name, name) }?.value
    }

    /// All values of a name, in order.
    public func values(_ name: String) -> [String] {
        all.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// Adds a field beside those of the same name.
    public mutating func add(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }

    /// Replaces all fields of a name by one.
    public mutating func set(_ name: String, _ value: String) {
        all.removeAll { Self.isSame($0.name, name) }
        add(name, value)
    }

    /// Names are ASCII; copies in lower case would be half the work of a small request.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        let fold: (UInt8) -> UInt8 = { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { $0 == $1 || fold($0) == fold($1) }
    }
}
