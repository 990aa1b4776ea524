/// Where a claim looks for its job, decided from what one look saw.
struct ClaimPlan: Sendable {
    /// One query that may find the job.
    struct Step: Equatable {
        let need: String
        let share: String
        let priority: Int64
        /// The first job that the look saw there.
        let sequence: Int64
        /// How many jobs of the key run; 0 where no job has a key.
        let running: Int
        /// Whether the jobs wait for a start time, which has come.
        let isTimed: Bool
    }

    let scope: ClaimScope
    /// Those that the worker may take.
    let groups: [JobGroup]
    let due: [DueJobs]
    /// How many jobs run, by key; empty where no job has a key.
    var running: [String: Int]

    /// When the first job of the worker may start, also where its key has to wait; nil where none waits.
    var nextStart: Double? { groups.compactMap(\.runAt).min() }

    /// Whether any key counts.
    var hasKeys: Bool { groups.contains { !$0.share.isEmpty } }

    /// Whether anything may start.
    func isDue(at time: Double) -> Bool {
        groups.contains { group in
            mayRun(group.share) && (group.queued != nil || group.freeAt.map { $0 <= time } == true)
        }
    }

    private func mayRun(_ share: String) -> Bool {
        guard let most = scope.mostPerKey, !share.isEmpty else { return true }
        return running[share, default: 0] < most
    }

    /// Queries in the order of claims: priority, then the key of which the fewest jobs run, then acceptance.
    ///
    /// Jobs without a key count as those of one.
    func steps() -> [Step] {
        let queued = groups.compactMap { group in
            group.queued.map { step(group.need, group.share, $0, isTimed: false) }
        }
        let timed = due.map { step($0.need, $0.share, $0.first, isTimed: true) }
        return (queued + timed).filter { mayRun($0.share) }.sorted {
            ($1.priority, $0.running, $0.sequence) < ($0.priority, $1.running, $1.sequence)
        }
    }

    private func step(
        _ need: String, _ share: String, _ first: ClaimOrder.Candidate, isTimed: Bool
    ) -> Step {
        Step(
            need: need, share: share, priority: first.priority, sequence: first.sequence,
            running: running[share, default: 0], isTimed: isTimed)
    }

    /// Groups with a queued job, the most urgent first; keys do not count.
    var byUrgency: [JobGroup] {
        func order(_ group: JobGroup) -> (Int64, Int64) {
            group.queued.map { (-$0.priority, $0.sequence) } ?? (0, 0)
        }
        return groups.filter { $0.queued != nil && mayRun($0.share) }
            .sorted { order($0) < order($1) }
    }

    /// Groups with a job that has waited since `time` or longer, the longest first.
    func overdue(since time: Double) -> [JobGroup] {
        groups.filter { mayRun($0.share) && $0.freeAt.map { $0 <= time } == true }
            .sorted { ($0.freeAt ?? 0) < ($1.freeAt ?? 0) }
    }
}
