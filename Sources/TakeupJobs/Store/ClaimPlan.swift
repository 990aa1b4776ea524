/// Where a claim looks for its job, decided from what one look saw.
struct ClaimPlan: Sendable {
    /// One query that may find the job.
    struct Step: Equatable {
        let need: String
        let share: String
        /// Of queued jobs the least one.
        var priority: Int64
        /// The last job in the order of acceptance that may be taken; of queued ones.
        var last: Int64
        /// The latest start time of a job that may be taken; of those that wait for one.
        var until: Double
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

    /// When the time of the next job comes, which may have to wait for another job then; nil where none waits for one.
    func nextStart(after time: Double) -> Double? {
        groups.flatMap { [$0.runAt, mayRun($0.share) ? $0.freeAt : nil] }.compactMap(\.self)
            .filter { $0 > time }.min()
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

    /// Queries in the order of claims: priority, then the key of which the fewest jobs run, then acceptance.
    ///
    /// Jobs without a key count as those of one. Others may have taken since what the look saw: of each priority those
    /// that it saw come first, so that who comes second takes another key's; then what is there, not all from one key.
    /// At last whatever is left.
    func steps(at time: Double, _ random: () -> Double) -> [Step] {
        let seen = seen
        var steps: [Step] = []
        var rest = seen[...]
        while let priority = rest.first?.priority {
            let level = rest.prefix { $0.priority == priority }
            rest = rest.dropFirst(level.count)
            if hasKeys { steps += level }
            let chance = level.enumerated().map { ($1, hasKeys ? random() : Double($0)) }
            steps += chance.sorted { ($0.0.running, $0.1) < ($1.0.running, $1.1) }
                .map { Self.wide($0.0, at: time) }
        }
        return steps
            + seen.filter { !$0.isTimed }.map {
                var step = Self.wide($0, at: time)
                step.priority = .min
                return step
            }
    }

    private static func wide(_ step: Step, at time: Double) -> Step {
        var step = step
        (step.last, step.until) = (.max, time)
        return step
    }

    /// Queries for just the jobs that the look saw, in the order of claims.
    private var seen: [Step] {
        let queued = groups.compactMap { group in
            group.queued.map { step(group.need, group.share, $0) }
        }
        let timed = due.map { step($0.need, $0.share, $0.first, at: $0.runAt) }
        return (queued + timed).filter { mayRun($0.share) }.sorted {
            ($1.priority, $0.running, $0.last) < ($0.priority, $1.running, $1.last)
        }
    }

    private func step(
        _ need: String, _ share: String, _ first: ClaimOrder.Candidate, at runAt: Double? = nil
    ) -> Step {
        Step(
            need: need, share: share, priority: first.priority, last: first.sequence,
            until: runAt ?? 0, running: running[share, default: 0], isTimed: runAt != nil)
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
