/// The few words that differ between the engines; everything else is written once.
public enum SQLDialect: Sendable {
    case sqlite, postgres

    /// Begins a transaction that writes: one at a time, as SQLite's writers are.
    package var begin: String {
        switch self {
        case .sqlite: "BEGIN IMMEDIATE"
        case .postgres:
            // Of one schema: queues beside each other in a database do not wait for each other.
            "BEGIN; SELECT pg_advisory_xact_lock(\(Self.writers), \(Self.schema))"
        }
    }

    /// A number that nothing else in a database of Takeup locks.
    private static let writers = 0x74616b65
    private static let schema = "hashtext(coalesce(current_schema(), ''))"

    /// Has a row where there is a table of a name.
    var tableExists: String {
        switch self {
        case .sqlite: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1"
        case .postgres:
            "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?1"
        }
    }
}
