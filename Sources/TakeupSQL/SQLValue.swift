/// A value as a database stores it.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    /// Null for nil.
    public static func text(_ text: String?) -> SQLValue {
        text.map { .text($0) } ?? .null
    }

    public static func integer(_ number: Int64?) -> SQLValue {
        number.map { .integer($0) } ?? .null
    }

    public static func integer(_ number: Int) -> SQLValue {
        .integer(Int64(number))
    }

    public static func real(_ number: Double?) -> SQLValue {
        number.map { .real($0) } ?? .null
    }

    public static func flag(_ isOn: Bool) -> SQLValue {
        .integer(isOn ? 1 : 0)
    }
}
