internal import CTakeupPostgres
public import TakeupSQL

/// A database on a PostgreSQL server, 12 or later.
///
/// Passwords come from the address, `PGPASSWORD`, `PGPASSFILE` or a service file, as libpq reads them; messages never show
/// them.
public struct PostgresDatabase: SQLDatabase, Equatable {
    private static let schemes = ["postgres://", "postgresql://"]

    private let address: String
    public let name: String
    /// Told the name when the begin or the end of a transaction, with what goes along, takes longer than five seconds; from any
    /// lane.
    private var onSlowAnswer: (@Sendable (String) -> Void)?

    /// Takes an address as libpq does; nil for one of another kind.
    ///
    /// - Parameter address: `postgres://[USER[:PASSWORD]@][HOST][:PORT][/DATABASE][?OPTION=VALUE]`.
    public init?(address: String) {
        guard let scheme = Self.schemes.first(where: address.lowercased().hasPrefix) else {
            return nil
        }
        let rest = address.dropFirst(scheme.count)
        // libpq knows the scheme in small letters alone, and takes anything else for a name of a database.
        self.address = scheme + rest
        name = Self.shown(rest)
    }

    public static func == (a: PostgresDatabase, b: PostgresDatabase) -> Bool {
        a.address == b.address
    }

    /// The same database, which tells when the begin or the end of a transaction takes longer than five seconds, as without the
    /// standby that the server waits for.
    public func telling(_ onSlowAnswer: @escaping @Sendable (String) -> Void) -> PostgresDatabase {
        var database = self
        database.onSlowAnswer = onSlowAnswer
        return database
    }

    /// Whether an `@` stands behind the host: then a password holds a character that ends it, and parts of it pass for others.
    private var hasStrayMark: Bool {
        let rest = address.split(separator: "://", maxSplits: 1).last ?? ""
        return rest.drop { $0 != "/" && $0 != "?" }.contains("@")
    }

    /// The address without its user and password, also where these have characters that they should not, and with those
    /// options alone that say which server it is.
    private static func shown(_ rest: Substring) -> String {
        let start = rest.lastIndex(of: "@").map { rest.index(after: $0) } ?? rest.startIndex
        let parts = rest[start...].split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let options = parts.dropFirst().joined().split(separator: "&").filter { option in
            ["service=", "host=", "port=", "dbname="].contains(where: option.hasPrefix)
        }
        let place = "postgres://\(parts[0])"
        return options.isEmpty ? place : "\(place)?\(options.joined(separator: "&"))"
    }

    /// - Throws: `SQLError` with `.open`; `.cannotOpen` where libpq is not installed.
    public func connect(_ durability: SQLDurability) throws(SQLError) -> any SQLConnection {
        try requireReadable()
        return try PostgresConnection(
            address: address, name: name, durability, onSlowAnswer: onSlowAnswer)
    }

    public func listen(to channel: String) throws(SQLError) -> (any SQLListener)? {
        try requireReadable()
        return try PostgresListener(address: address, name: name, channel: channel)
    }

    /// - Throws: `SQLError` with `.open`, where libpq is not installed or cannot read the address.
    private func requireReadable() throws(SQLError) {
        guard takeup_pg_library() != nil else {
            throw SQLError(
                .open, .cannotOpen, code: "libpq",
                message: "PostgreSQL's client library is not installed: install libpq5",
                database: name)
        }
        // libpq's own words about an address that it cannot read repeat parts of it, with secrets.
        guard takeup_pg_reads(address) != 0, !hasStrayMark else {
            throw SQLError(
                .open, .cannotOpen, code: "libpq",
                message: "its address cannot be read: write special characters as %XX",
                database: name)
        }
    }
}
