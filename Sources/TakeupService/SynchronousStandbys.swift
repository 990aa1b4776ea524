internal import TakeupSQL

/// The standbys that a server waits for at each commit, and those that are connected.
struct SynchronousStandbys: Equatable {
    /// How many have to answer; 0 where commits wait for none.
    let needed: Int
    /// How many are connected, as far as the role may see.
    let connected: Int

    /// - Parameters:
    ///   - names: `synchronous_standby_names`.
    ///   - connected: Standbys that count, or of which the role may not see whether they do.
    init(names: String, connected: Int) {
        (needed, self.connected) = (Self.needed(names), connected)
    }

    /// Asks a server.
    init(_ connection: any SQLConnection) throws(SQLError) {
        let found = try connection.query(
            """
            SELECT current_setting('synchronous_standby_names'), (SELECT count(*)
                FROM pg_stat_replication WHERE sync_state IS NULL OR sync_state IN ('sync', 'quorum'))
            """
        ) { ($0.text(0), Int($0.integer(1))) }.first
        self.init(names: found?.0 ?? "", connected: found?.1 ?? 0)
    }

    /// Whether commits do not wait for one that is away.
    var areThere: Bool { connected >= needed }

    var finding: String {
        if needed == 0 { return "commits wait for none" }
        return "commits wait for \(needed), and \(connected) "
            + (connected == 1 ? "is connected" : "are connected")
    }

    /// How many standbys a setting asks for.
    ///
    /// - Note: Source: PostgreSQL, 20.6.2: `[FIRST] N (names)`, `ANY N (names)`, or a list of names, which means one.
    static func needed(_ names: String) -> Int {
        let words = names.prefix { $0 != "(" }.split { $0 == " " || $0 == "\t" }
        guard !words.isEmpty else { return 0 }
        guard names.contains("("), let number = words.last.flatMap({ Int($0) }) else { return 1 }
        return number
    }
}
