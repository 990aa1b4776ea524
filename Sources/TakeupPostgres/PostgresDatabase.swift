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

    /// Takes an address as libpq does; nil for one of another kind.
    ///
    /// - Parameter address: `postgres://[USER[:PASSWORD]@][HOST][:PORT][/DATABASE][?OPTION=VALUE]`.
    public init?(address: String) {
        guard let scheme = Self.schemes.first(where: address.lowercased().hasPrefix) else {
            return nil
        }
        self.address = address
        name = Self.shown(address.dropFirst(scheme.count))
    }

    /// The address without its user, password and options.
    private static func shown(_ rest: Substring) -> String {
        let place = rest.prefix { $0 != "?" }
        let host = place.prefix { $0 != "/" }
        let start = host.lastIndex(of: "@").map { place.index(after: $0) } ?? place.startIndex
        return "postgres://\(place[start...])"
    }

    /// - Throws: `SQLError` with `.open`; `.cannotOpen` where libpq is not installed.
    public func connect(_ durability: SQLDurability) throws(SQLError) -> any SQLConnection {
        guard takeup_pg_library() != nil else {
            throw SQLError(
                .open, .cannotOpen, code: "libpq",
                message: "PostgreSQL's client library is not installed: install libpq5",
                database: name)
        }
        return try PostgresConnection(address: address, name: name)
    }
}
