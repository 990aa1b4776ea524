import Foundation
import TakeupJobs
import TakeupSQL
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
        let engine: TestDatabase = self == .sqlite ? .sqlite : .postgres
        return try engine.database(in: folder)
    }
}
