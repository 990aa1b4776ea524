import TakeupJobs

/// The stores that have to pass the conformance suite.
enum StoreKind: CaseIterable {
    case sqlite

    /// Opens a store, or the same one again, as another process has it.
    func open(
        in folder: String, now: @escaping @Sendable () -> Double,
        random: @escaping @Sendable () -> Double
    ) throws -> any JobStore {
        switch self {
        case .sqlite: try SQLiteJobStore(path: "\(folder)/takeup.db", now: now, random: random)
        }
    }
}
