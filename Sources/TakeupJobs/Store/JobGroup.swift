internal import TakeupSQL

/// Waiting jobs that ask their worker for the same and have the same key, as one look saw them.
///
/// The indexes of waiting jobs begin with both: a look takes a step for each group, and none for a job.
struct JobGroup: Sendable {
    /// As `JobSpec.need` writes it.
    let need: String
    /// The key; empty for none.
    let share: String
    /// The first time at which one of them may start; nil where the worker leaves all to others.
    let runAt: Double?
    /// As `runAt`, of those whose work no running job is doing.
    let freeAt: Double?
    /// The first queued one whose work no running job is doing.
    let queued: ClaimOrder.Candidate?

    /// Waiting groups as a table of a query, the first due job of each.
    static let waiting = """
        WITH RECURSIVE waiting (sequence, need, share, run_at) AS (
            SELECT * FROM (SELECT sequence, need, share, run_at \(due)
                ORDER BY need, share, run_at, sequence LIMIT 1) AS head
            UNION ALL
            SELECT head.sequence, head.need, head.share, head.run_at
            FROM waiting JOIN job AS head ON head.sequence = coalesce(
                (SELECT sequence \(due) AND need = waiting.need AND share > waiting.share
                    ORDER BY need, share, run_at, sequence LIMIT 1),
                (SELECT sequence \(due) AND need > waiting.need
                    ORDER BY need, share, run_at, sequence LIMIT 1)))
        """

    private static let due = "FROM job INDEXED BY job_due WHERE state IN ('queued', 'scheduled')"

    /// A condition for the waiting jobs of one group.
    private static let isOfGroup = "need = waiting.need AND share = waiting.share"

    /// Reads all groups.
    ///
    /// - Parameters:
    ///   - exception: Ends the condition for a job; empty in most looks.
    ///   - connection: Where the jobs are.
    /// - Returns: The groups, and whether a job waits for its time.
    /// - Throws: `SQLError`.
    static func all(
        _ exception: String, _ connection: any SQLConnection
    ) throws(SQLError) -> (groups: [JobGroup], areScheduled: Bool) {
        let first =
            exception.isEmpty
            ? "waiting.run_at"
            : "(SELECT run_at \(due) AND \(isOfGroup)\(exception) ORDER BY run_at, sequence LIMIT 1)"
        let rows = try connection.query(
            """
            \(waiting)
            SELECT waiting.need, waiting.share, \(first),
                (SELECT run_at \(due) AND \(isOfGroup) AND \(SQLJobStore.isFree)\(exception)
                    ORDER BY run_at, sequence LIMIT 1),
                queued.sequence, queued.priority,
                (SELECT sequence FROM job INDEXED BY job_scheduled WHERE state = 'scheduled'
                    ORDER BY need, share, priority, run_at, sequence LIMIT 1)
            FROM waiting LEFT JOIN job AS queued ON queued.sequence = (
                SELECT sequence FROM job INDEXED BY job_queued
                WHERE state = 'queued' AND \(isOfGroup) AND \(SQLJobStore.isFree)\(exception)
                ORDER BY priority DESC, sequence LIMIT 1)
            """
        ) { row in
            let queued = row.optionalInteger(4).map {
                ClaimOrder.Candidate(sequence: $0, priority: row.integer(5))
            }
            return (
                JobGroup(
                    need: row.text(0), share: row.text(1), runAt: row.optionalReal(2),
                    freeAt: row.optionalReal(3), queued: queued),
                row.optionalInteger(6) != nil
            )
        }
        return (rows.map(\.0), rows.first?.1 ?? false)
    }
}

/// Jobs of one group and one priority whose start time has come.
struct DueJobs: Sendable {
    let need: String
    let share: String
    /// The first one whose work no running job is doing.
    let first: ClaimOrder.Candidate
    /// When it was due.
    let runAt: Double

    private static let scheduled = "FROM job INDEXED BY job_scheduled WHERE state = 'scheduled'"

    /// Reads those that are due at a time; a step in the index for each group and priority that jobs wait with.
    static func all(
        at time: Double, _ exception: String, _ connection: any SQLConnection
    ) throws(SQLError) -> [DueJobs] {
        try connection.query(
            """
            WITH RECURSIVE level (sequence, need, share, priority, run_at) AS (
                SELECT * FROM (SELECT sequence, need, share, priority, run_at \(scheduled)
                    ORDER BY need, share, priority, run_at, sequence LIMIT 1) AS head
                UNION ALL
                SELECT head.sequence, head.need, head.share, head.priority, head.run_at
                FROM level JOIN job AS head ON head.sequence = coalesce(
                    (SELECT sequence \(scheduled) AND need = level.need
                        AND share = level.share AND priority > level.priority
                        ORDER BY need, share, priority, run_at, sequence LIMIT 1),
                    (SELECT sequence \(scheduled) AND need = level.need AND share > level.share
                        ORDER BY need, share, priority, run_at, sequence LIMIT 1),
                    (SELECT sequence \(scheduled) AND need > level.need
                        ORDER BY need, share, priority, run_at, sequence LIMIT 1)))
            SELECT level.need, level.share, head.sequence, level.priority, head.run_at
            FROM level JOIN job AS head ON head.sequence = (
                SELECT sequence \(scheduled) AND need = level.need AND share = level.share
                    AND priority = level.priority AND run_at <= ?1
                    AND \(SQLJobStore.isFree)\(exception)
                ORDER BY run_at, sequence LIMIT 1)
            WHERE level.run_at <= ?1
            """, [.real(time)]
        ) { row in
            DueJobs(
                need: row.text(0), share: row.text(1),
                first: ClaimOrder.Candidate(sequence: row.integer(2), priority: row.integer(3)),
                runAt: row.real(4))
        }
    }
}
