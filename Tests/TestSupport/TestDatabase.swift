internal import Foundation
internal import TakeupPostgres
public import TakeupSQL
internal import TakeupSQLite

/// The engines that every store must work on.
public enum TestDatabase: String, CaseIterable, Sendable {
    case sqlite, postgres

    /// Returns the database of a folder; on a server one schema for each folder.
    public func database(in folder: String) throws -> any SQLDatabase {
        switch self {
        case .sqlite: SQLiteDatabase(path: "\(folder)/takeup.db")
        case .postgres: try server(for: folder)
        }
    }

    /// Returns the address of a folder's schema on the server, as a user gives it.
    public static func address(for folder: String) throws -> String {
        try PostgresServer.shared.get().address(schema: schema(of: folder))
    }

    private static func schema(of folder: String) -> String {
        "t_\(folder.filter { $0.isLetter || $0.isNumber }.suffix(50).lowercased())"
    }

    /// Makes the schema; the server may still be starting.
    private func server(for folder: String) throws -> PostgresDatabase {
        guard let database = PostgresDatabase(address: try Self.address(for: folder)) else {
            throw ToolFailure("no address of a server for \(folder)")
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            do throws(SQLError) {
                try database.connect(.full)
                    .execute("CREATE SCHEMA IF NOT EXISTS \(Self.schema(of: folder))")
                return database
            } catch {
                // Several at once may make the same one.
                guard error.isConstraint || error.kind == .unreachable,
                    ContinuousClock.now < deadline
                else { throw error }
                usleep(50_000)
            }
        }
    }
}
