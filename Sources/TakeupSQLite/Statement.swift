internal import CTakeupSQLite
internal import TakeupSQL

/// One compiled statement, which its connection keeps for the next time.
final class Statement {
    let raw: OpaquePointer

    init(_ sql: String, on database: OpaquePointer, of name: String) throws(SQLError) {
        var statement: OpaquePointer?
        let persistent = UInt32(SQLITE_PREPARE_PERSISTENT)
        let code = sqlite3_prepare_v3(database, sql, -1, persistent, &statement, nil)
        guard code == SQLITE_OK, let statement else {
            throw SQLError(
                .prepare, code: sqlite3_extended_errcode(database),
                message: String(cString: sqlite3_errmsg(database)), database: name, statement: sql)
        }
        raw = statement
    }

    deinit {
        sqlite3_finalize(raw)
    }

    func bind(_ values: [SQLValue]) {
        precondition(
            values.count == Int(sqlite3_bind_parameter_count(raw)),
            "a statement takes as many values as it has places")
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .null: sqlite3_bind_null(raw, place)
            case .integer(let number): sqlite3_bind_int64(raw, place, number)
            case .real(let number): sqlite3_bind_double(raw, place, number)
            case .text(let text):
                sqlite3_bind_text(
                    raw, place, text, Int32(text.utf8.count), takeup_sqlite_transient())
            }
        }
    }

    /// Makes it ready for its next use and lets go of what was bound.
    func reset() {
        sqlite3_reset(raw)
        sqlite3_clear_bindings(raw)
    }
}
