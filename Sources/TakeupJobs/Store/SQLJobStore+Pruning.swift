internal import TakeupSQL

extension SQLJobStore {
    /// Jobs that one transaction forgets.
    private static let prunedAtOnce = 2000

    public func prune(
        olderThanSeconds seconds: Double, keeping most: Int
    ) throws(JobStoreError) -> Int {
        let limit = now() - seconds
        var pruned = 0
        while true {
            let part = try pruneSome(endedBefore: limit)
            pruned += part
            if part < Self.prunedAtOnce { break }
        }
        guard try ended() > max(0, most) else { return pruned }
        while true {
            let part = try pruneSome(endedBefore: .infinity, keeping: max(0, most))
            pruned += part
            if part < Self.prunedAtOnce { return pruned }
        }
    }

    private func ended() throws(JobStoreError) -> Int {
        try look { (connection) throws(SQLError) in try Self.ended(connection) }
    }

    private static func ended(_ connection: any SQLConnection) throws(SQLError) -> Int {
        try connection.query("SELECT count(*) FROM job WHERE finished_at IS NOT NULL") {
            Int($0.integer(0))
        }.first ?? 0
    }

    /// The ones that ended first go first.
    private func pruneSome(
        endedBefore limit: Double, keeping most: Int? = nil
    ) throws(JobStoreError) -> Int {
        // Past the rows that somebody has locked: they are there the next time. The part before the deletion is run once: as a
        // subquery it would be run for each row, and find others each time.
        try change { (connection) throws(SQLError) in
            var count = Self.prunedAtOnce
            // Counted where no other worker prunes, and again where nobody knows whether the last deletion took effect.
            if let most { count = min(count, try Self.ended(connection) - most) }
            guard count > 0 else { return 0 }
            return try connection.run(
                """
                WITH old AS (SELECT sequence FROM job WHERE finished_at <= ?1
                    ORDER BY finished_at LIMIT ?2 \(connection.dialect.free))
                DELETE FROM job WHERE sequence IN (SELECT sequence FROM old)
                """, [.real(limit), .integer(count)])
        }
    }
}
