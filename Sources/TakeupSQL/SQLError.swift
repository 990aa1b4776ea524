/// A call to a database that did not succeed.
public struct SQLError: Error, Equatable, Sendable {
    /// What was tried; stable, for scripts.
    public enum Operation: String, Sendable {
        case open, configure, prepare, step, migrate
    }

    /// What a caller can do about it.
    public enum Kind: String, Sendable {
        /// Another connection held a lock for longer than this one waits.
        case busy
        /// The file is no database, or a damaged one.
        case damaged
        /// Also where no room was left for the shared index of the log.
        case diskFull
        case readOnly
        /// Neither the file nor what belongs to it could be opened or made.
        case cannotOpen
        /// The server does not answer, or has ended the connection.
        case unreachable
        /// The server refuses this user.
        case notPermitted
        /// The server and the address have no encryption in common, or its certificate is not trusted.
        case untrusted
        /// A later version of this program made its tables.
        case laterVersion
        /// The user has no schema in which tables could be looked for or made.
        case noSchema
        /// The database cannot hold every text.
        case encoding
        /// The file was removed or replaced, or its disk is away, while it was open: nobody reads what is written to it.
        case gone
        /// A row broke a rule of its table.
        case constraint
        case other
    }

    public let operation: Operation
    public let kind: Kind
    /// The engine and its own code, such as `SQLite 5`.
    public let code: String
    public let message: String
    /// What messages call the database: a path, or an address without its secrets.
    public let database: String
    /// The statement's first words; nil where it was about none.
    public let statement: String?
    /// Whether a transaction may be committed all the same: its commit was sent and not confirmed.
    public private(set) var isOutcomeUnknown = false

    public init(
        _ operation: Operation, _ kind: Kind, code: String, message: String, database: String,
        statement sql: String? = nil
    ) {
        (self.operation, self.kind, self.code) = (operation, kind, code)
        (self.message, self.database) = (message, database)
        statement = sql.map(Self.firstWords)
    }

    /// The server does not answer now, or shows a certificate that has to be renewed; the same call may succeed a moment later.
    public var isUnreachable: Bool { kind == .unreachable || kind == .untrusted }

    /// The same error of a commit that was sent and not confirmed.
    package var withUnknownOutcome: SQLError {
        var error = self
        error.isOutcomeUnknown = true
        return error
    }

    public var isBusy: Bool { kind == .busy }
    public var isDamaged: Bool { kind == .damaged }
    public var isDiskFull: Bool { kind == .diskFull }
    public var isReadOnly: Bool { kind == .readOnly }
    public var isCannotOpen: Bool { kind == .cannotOpen }
    public var isConstraint: Bool { kind == .constraint }

    private static func firstWords(_ sql: String) -> String {
        sql.split(whereSeparator: \.isWhitespace).prefix(4).joined(separator: " ")
    }
}

extension SQLError: CustomStringConvertible {
    public var description: String {
        let place = statement.map { ", at '\($0)'" } ?? ""
        return "\(database): \(message) (\(code)\(place))"
    }
}

extension SQLError {
    /// Makes the error of an open database whose file has lost its name, which is `path`.
    public static func gone(_ path: String) -> SQLError {
        SQLError(
            .step, .gone, code: "", message: "the file was removed or replaced", database: path)
    }
}
