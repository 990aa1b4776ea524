internal import CTakeupSQLite
internal import TakeupSQL

/// A row of SQLite's answer.
struct SQLiteRow: SQLRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    /// - Returns: 0 for null.
    func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(statement, Int32(column))
    }

    /// - Returns: 0 for null.
    func real(_ column: Int) -> Double {
        sqlite3_column_double(statement, Int32(column))
    }

    /// - Returns: Empty for null.
    func text(_ column: Int) -> String {
        guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func flag(_ column: Int) -> Bool { integer(column) != 0 }
}
