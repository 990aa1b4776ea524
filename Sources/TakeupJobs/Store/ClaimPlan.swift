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
        /// When that one was due; of those that wait for a start time, which has come.
        let runAt: Double
        /// Whether these do.
        let isTimed: Bool
    }

    let scope: ClaimScope
    /// Those that the worker may take.
    let groups: [JobGroup]
    let due: [DueJobs]
    /// How many jobs run, by key; empty where no job has a key.
    var running: [String: Int]

    /// When the first job may start that waits for its time alone; nil where none does.
    func nextStart(after time: Double) -> Double? {
        groups.filter { mayRun($0.share) }.compactMap(\.freeAt).filter { $0 > time }.min()
    }

    /// Whether a job whose time has come waits for the end of another.
    func isBlocked(at time: Double) -> Bool {
        groups.contains { group in group.runAt.map { $0 <= time } == true && !isDue(group, time) }
    }

    /// Whether any key counts.
    var hasKeys: Bool { groups.contains { !$0.share.isEmpty } }

    /// Whether anything may start.
    func isDue(at time: Double) -> Bool {
        groups.contains { isDue($0, time) }
    }

    private func isDue(_ group: JobGroup, _ time: Double) -> Bool {
        mayRun(group.share) && (group.queued != nil || group.freeAt.map { $0 <= time } == true)
    }

    private func mayRun(_ share: String) -> Bool {
        guard let most = scope.mostPerKey, !share.isEmpty else { return true }
        return running[share, default: 0] < most
    }

    /// Queries in the order of claims: priority, then the key of which the fewest jobs run, then acceptance, or chance
    /// where `random` is given.
    ///
    /// Jobs without a key count as those of one.
    func steps(shuffledBy random: (() -> Double)? = nil) -> [Step] {
        let queued = groups.compactMap { group in
            group.queued.map { step(group.need, group.share, $0) }
        }
        let timed = due.map { step($0.need, $0.share, $0.first, at: $0.runAt) }
        return (queued + timed).filter { mayRun($0.share) }
            .map { (step: $0, last: random?() ?? Double($0.sequence)) }
            .sorted {
                ($1.step.priority, $0.step.running, $0.last)
                    < ($0.step.priority, $1.step.running, $1.last)
            }.map(\.step)
    }

    private func step(
        _ need: String, _ share: String, _ first: ClaimOrder.Candidate, at runAt: Double? = nil
    ) -> Step {
        Step(
            need: need, share: share, priority: first.priority, sequence: first.sequence,
            running: running[share, default: 0], runAt: runAt ?? 0, isTimed: runAt != nil)
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

/// What the last look saw of work that a worker may take later.
struct KnownWork: Sendable {
    /// When the first job may start that waits for its time; nil where none does.
    var start: Double?
    /// Whether a job waits for the end of another.
    var isBlocked = false

    init() {}

    init(_ plan: ClaimPlan, at time: Double) {
        (start, isBlocked) = (plan.nextStart(after: time), plan.isBlocked(at: time))
    }
}
