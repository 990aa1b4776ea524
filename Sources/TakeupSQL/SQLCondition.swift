/// A condition that one module states and another's statement depends on.
///
/// It is written with `?` places only, in order, so that it can stand at the end of a longer statement.
public struct SQLCondition: Sendable, Equatable {
    public let sql: String
    public let values: [SQLValue]

    public init(_ sql: String, _ values: [SQLValue]) {
        (self.sql, self.values) = (sql, values)
    }

    /// Holds always.
    public static let always = SQLCondition("1 = 1", [])
}
