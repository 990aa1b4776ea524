internal import CTakeupSQLite
public import TakeupSQL

extension SQLError {
    private static let sharedMemorySize: Int32 = 19 << 8

    /// Classes a failure by SQLite's extended result code.
    public init(
        _ operation: Operation, code: Int32, message: String, database: String,
        statement: String? = nil
    ) {
        let kind: Kind =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            case SQLITE_FULL: .diskFull
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_CONSTRAINT: .constraint
            default: code == SQLITE_IOERR | Self.sharedMemorySize ? .diskFull : .other
            }
        self.init(
            operation, kind, code: "SQLite \(code)", message: message, database: database,
            statement: statement)
    }
}
