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
        var excess = try ended() - max(0, most)
        while excess > 0 {
            let part = try pruneSome(endedBefore: nil, min(excess, Self.prunedAtOnce))
            guard part > 0 else { break }
            (pruned, excess) = (pruned + part, excess - part)
        }
        return pruned
    }

    private func ended() throws(JobStoreError) -> Int {
        try look { (connection) throws(SQLError) in
            try connection.query("SELECT count(*) FROM job WHERE finished_at IS NOT NULL") {
                Int($0.integer(0))
            }.first ?? 0
        }
    }

    /// The ones that ended first go first.
    private func pruneSome(
        endedBefore limit: Double?, _ count: Int = prunedAtOnce
    ) throws(JobStoreError) -> Int {
        // Past the rows that somebody has locked: they are there the next time. The part before the deletion is run once: as a
        // subquery it would be run for each row, and find others each time.
        try change { (connection) throws(SQLError) in
            try connection.run(
                """
                WITH old AS (SELECT sequence FROM job WHERE finished_at <= ?1
                    ORDER BY finished_at LIMIT ?2 \(connection.dialect.free))
                DELETE FROM job WHERE sequence IN (SELECT sequence FROM old)
                """, [.real(limit ?? .infinity), .integer(count)])
        }
    }
}
