internal import CTakeupSQLite

/// A call to SQLite that did not succeed.
public struct SQLiteError: Error, Equatable, Sendable {
    /// What was tried; stable, for scripts.
    public enum Operation: String, Sendable {
        case open, configure, prepare, step, migrate
    }

    public let operation: Operation
    /// SQLite's extended result code.
    public let code: Int32
    public let message: String
    /// The database's path, or the statement's first words.
    public let subject: String

    public init(_ operation: Operation, code: Int32, message: String, subject: String) {
        (self.operation, self.code) = (operation, code)
        (self.message, self.subject) = (message, subject)
    }

    private var primaryCode: Int32 { code & 0xFF }

    /// Another connection held the lock for longer than the busy timeout.
    public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// The file is no database, or a damaged one.
    public var isDamaged: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Also where no room was left for the shared index of the log.
    public var isDiskFull: Bool {
        primaryCode == SQLITE_FULL || code == SQLITE_IOERR | Self.sharedMemorySize
    }

    private static let sharedMemorySize: Int32 = 19 << 8

    public var isReadOnly: Bool { primaryCode == SQLITE_READONLY || primaryCode == SQLITE_PERM }

    /// Neither the file nor what belongs to it could be opened or made.
    public var isCannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }

    public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
}

extension SQLiteError: CustomStringConvertible {
    public var description: String {
        "\(operation.rawValue) \(subject): \(message) (SQLite \(code))"
    }
}
