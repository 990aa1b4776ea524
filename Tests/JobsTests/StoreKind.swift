import Foundation
import TakeupJobs
import TakeupPostgres
import TakeupSQL
import TakeupSQLite
import TestSupport
import Testing

/// The stores that have to pass the conformance suite.
enum StoreKind: CaseIterable {
    case sqlite, postgres

    /// Opens a store, or the same one again, as another process has it.
    func open(
        in folder: String, now: @escaping @Sendable () -> Double,
        random: @escaping @Sendable () -> Double
    ) throws -> any JobStore {
        switch self {
        case .sqlite: try SQLJobStore(path: "\(folder)/takeup.db", now: now, random: random)
        case .postgres: try SQLJobStore(try database(in: folder), now: now, random: random)
        }
    }

    /// The database of the store in a folder.
    func database(in folder: String) throws -> any SQLDatabase {
        switch self {
        case .sqlite: SQLiteDatabase(path: "\(folder)/takeup.db")
        case .postgres: try Self.schema(of: folder)
        }
    }

    /// One schema for each folder; the server may still be starting.
    private static func schema(of folder: String) throws -> PostgresDatabase {
        let name = folder.filter { $0.isLetter || $0.isNumber }.suffix(50).lowercased()
        let address = try PostgresServer.shared.get().address(schema: "t_\(name)")
        let database = try #require(PostgresDatabase(address: address))
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            do throws(SQLError) {
                try database.connect(.full).execute("CREATE SCHEMA IF NOT EXISTS t_\(name)")
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
