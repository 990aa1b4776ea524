/// A value as SQLite stores it.
public enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// Null for nil.
    public static func text(_ text: String?) -> SQLiteValue {
        text.map { .text($0) } ?? .null
    }

    public static func integer(_ number: Int64?) -> SQLiteValue {
        number.map { .integer($0) } ?? .null
    }

    public static func integer(_ number: Int) -> SQLiteValue {
        .integer(Int64(number))
    }

    public static func real(_ number: Double?) -> SQLiteValue {
        number.map { .real($0) } ?? .null
    }

    public static func flag(_ isOn: Bool) -> SQLiteValue {
        .integer(isOn ? 1 : 0)
    }
}
