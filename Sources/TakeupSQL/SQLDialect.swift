/// The few words that differ between the engines; everything else is written once.
public enum SQLDialect: Sendable {
    case sqlite, postgres

    /// Begins a transaction that writes; every such text begins with `BEGIN`.
    package func begin(_ locking: SQLLocking) -> String {
        switch (self, locking) {
        case (.sqlite, _): "BEGIN IMMEDIATE"
        case (.postgres, .rows): Self.begin
        case (.postgres, .writers):
            // Of one schema: queues beside each other in a database do not wait for each other.
            "\(Self.begin); SELECT pg_advisory_xact_lock(\(Self.writers), \(Self.schema))"
        }
    }

    /// Whatever the server's default is: each statement has to see what others committed, behind a lock too.
    private static let begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

    /// Ends a query for rows that are then written: nobody else changes them until the transaction ends.
    package var locked: String { self == .postgres ? "FOR UPDATE" : "" }

    /// The same for rows that must stay as they are, but are not written.
    package var kept: String { self == .postgres ? "FOR SHARE" : "" }

    /// The same for rows of `job` of which any will do: those that somebody else has locked are passed over.
    package var free: String { self == .postgres ? "FOR UPDATE OF job SKIP LOCKED" : "" }

    /// Waits until no other transaction holds the lock of a text, `?1`, and holds it to the transaction's end.
    ///
    /// nil where there is one writer alone.
    package var lockText: String? {
        self == .postgres
            ? "SELECT pg_advisory_xact_lock(\(Self.texts), hashtext(coalesce(current_schema(), '') || ?1))"
            : nil
    }

    /// A number that nothing else in a database of Takeup locks.
    private static let writers = 0x74616b65
    private static let texts = 0x74616b66
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
