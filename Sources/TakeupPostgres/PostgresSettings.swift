internal import TakeupSQL

/// What a connection sets, whatever the database or the role sets.
package enum PostgresSettings {
    /// What every transaction needs.
    ///
    /// A statement or a lock that takes this long means that something is wrong. Numbers are read back as they were written.
    /// A warning tells that a commit did not wait for its standbys.
    static func transaction(_ word: String, _ durability: SQLDurability) -> String {
        """
        \(word) lock_timeout = 10000; \(word) statement_timeout = 60000;
        \(word) synchronous_commit = \(durability == .local ? "local" : "on"); \(word) standard_conforming_strings = on;
        \(word) extra_float_digits = 1; \(word) client_min_messages = warning;
        \(word) idle_in_transaction_session_timeout = \(idleMilliseconds)
        """
    }

    /// How long the server waits for a process that stands still inside a transaction, which takes milliseconds.
    ///
    /// Every other writer waits as long.
    private static let idleMilliseconds = 15_000

    /// What a session needs that is one connection's own.
    static func session(_ durability: SQLDurability) -> String {
        """
        \(transaction("SET", durability)); SET default_transaction_isolation = 'read committed';
        SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5;
        SET tcp_keepalives_count = 4; \(plans)
        """
    }

    /// What a session needs that keeps the plans of its statements.
    ///
    /// For a table of a few rows a server plans to read it all, and would go on so while a million rows come.
    package static let plans = """
        SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET jit = off
        """
}
