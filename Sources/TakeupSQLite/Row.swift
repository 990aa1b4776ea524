internal import CTakeupSQLite

/// One row of an answer, copied out by column, counted from 0.
///
/// Valid only inside the closure that it is given to.
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    public func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    /// - Returns: 0 for null.
    public func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(statement, Int32(column))
    }

    /// - Returns: 0 for null.
    public func real(_ column: Int) -> Double {
        sqlite3_column_double(statement, Int32(column))
    }

    /// - Returns: Empty for null.
    public func text(_ column: Int) -> String {
        guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    public func flag(_ column: Int) -> Bool { integer(column) != 0 }

    public func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

    public func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }

    public func optionalInteger(_ column: Int) -> Int64? {
        isNull(column) ? nil : integer(column)
    }
}
