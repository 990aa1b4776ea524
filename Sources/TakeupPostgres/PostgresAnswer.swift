internal import CTakeupPostgres
internal import TakeupSQL

/// What the server answered to one statement; freed with the object.
final class PostgresAnswer {
    private let raw: OpaquePointer?

    init(_ raw: OpaquePointer?) { self.raw = raw }

    deinit { takeup_PQclear(raw) }

    var isSuccess: Bool {
        let status = Int(takeup_PQresultStatus(raw))
        return status == takeup_pg_command_ok || status == takeup_pg_tuples_ok
    }

    /// Whether it is about a plan whose tables have changed.
    var isOutdated: Bool { field(takeup_pg_sqlstate) == "0A000" }

    /// Whether it is about a plan that the server does not have: somebody has reset the session, with all its settings.
    var isOfAnotherSession: Bool { field(takeup_pg_sqlstate) == "26000" }

    /// What the server has done, such as `COMMIT`, or `ROLLBACK` for the commit of a transaction that has failed.
    var command: String { takeup_PQcmdStatus(raw).map { String(cString: $0) } ?? "" }

    var rowCount: Int { Int(takeup_PQntuples(raw)) }

    /// Rows that the statement inserted, changed or deleted.
    var changedRows: Int {
        takeup_PQcmdTuples(raw).flatMap { Int(String(cString: $0)) } ?? 0
    }

    func field(_ code: Int) -> String? {
        takeup_PQresultErrorField(raw, Int32(code)).map { String(cString: $0) }
    }

    func isNull(_ row: Int32, _ column: Int) -> Bool {
        takeup_PQgetisnull(raw, row, Int32(column)) != 0
    }

    /// The text of a value; nil for null.
    func text(_ row: Int32, _ column: Int) -> String? {
        guard !isNull(row, column),
            let bytes = takeup_PQgetvalue(raw, row, Int32(column))
        else { return nil }
        return String(cString: bytes)
    }
}

/// A row of an answer.
struct PostgresRow: SQLRow {
    private let answer: PostgresAnswer
    private let row: Int32

    init(_ answer: PostgresAnswer, _ row: Int32) { (self.answer, self.row) = (answer, row) }

    func isNull(_ column: Int) -> Bool { answer.isNull(row, column) }

    func integer(_ column: Int) -> Int64 {
        answer.text(row, column).flatMap { Int64($0) } ?? (flag(column) ? 1 : 0)
    }

    func real(_ column: Int) -> Double { answer.text(row, column).flatMap { Double($0) } ?? 0 }

    func text(_ column: Int) -> String { answer.text(row, column) ?? "" }

    /// True for a number that is not 0, too: tables hold flags as numbers.
    func flag(_ column: Int) -> Bool {
        switch answer.text(row, column) {
        case nil, "0", "f": false
        default: true
        }
    }
}
