import TakeupJobs
import TestSupport

/// The queue as it has to be: values, no disk.
struct QueueModel {
    static let leaseSeconds = 30.0

    struct Job {
        var isKnown = false
        var machine = JobStateMachine(retries: 0)
        var content = 0
        var priority = 0
        var sequence = 0
        var token: Int64 = 0
        var worker = -1
        var work = -1
        var leaseUntil = 0.0
        var runAt = 0.0
        var finishedAt = 0.0

        var isWaiting: Bool {
            isKnown && (machine.state == .queued || machine.state == .scheduled)
        }

        var isRunning: Bool { isKnown && machine.state == .running }
    }

    private(set) var jobs = [Job](repeating: Job(), count: ModelStep.jobs)
    private(set) var slots = [ModelLease?](repeating: nil, count: ModelStep.slots)
    private(set) var now: Double
    private var lastToken: Int64 = 0
    private var lastSequence = 0
    private var nextLate = ModelStep.workers
    private var random: SeededRandom
    private let policy = RetryPolicy()

    init(now: Double, seed: UInt64) {
        (self.now, random) = (now, SeededRandom(state: seed))
    }

    mutating func apply(_ step: ModelStep) -> ModelAnswer {
        switch step {
        case .wait(let seconds):
            now += seconds
            return .nothing
        case .submit(let job, let content, let priority, let retries):
            return .accepted(submit(job, content, priority, retries))
        case .claim(let worker): return claim(worker)
        case .renew(let slot): return renew(slot)
        case .begin(let slot, let work): return begin(slot, work)
        case .announce(let slot): return .announced(slots[slot].map(stands) ?? false)
        case .finish(let slot, let ending): return finish(slot, ending)
        case .rescue(let dead): return rescue(dead)
        case .cancel(let job): return .asked(ask(job, .cancelRequested))
        case .retry(let job): return .asked(ask(job, .retryRequested))
        case .prune(let seconds): return .pruned(prune(seconds))
        }
    }

    /// What the step's holder believes to hold.
    func lease(of step: ModelStep) -> ModelLease? {
        step.slot.flatMap { slots[$0] }
    }

    /// Whether what a lease's holder writes is taken.
    private func stands(_ lease: ModelLease) -> Bool {
        jobs[lease.job].isRunning && jobs[lease.job].token == lease.token
    }

    private mutating func submit(
        _ job: Int, _ content: Int, _ priority: Int, _ retries: Int
    ) -> Acceptance {
        let old = jobs[job]
        let isSame = old.content == content
        if old.isKnown, !old.machine.state.isTerminal {
            return isSame ? .duplicate(old.machine.state) : .conflict
        }
        if !old.isKnown {
            lastSequence += 1
            jobs[job] = Job(isKnown: true)
            jobs[job].sequence = lastSequence
        }
        jobs[job].machine = JobStateMachine(retries: retries)
        jobs[job].content = content
        jobs[job].work = -1
        jobs[job].priority = priority
        jobs[job].runAt = now
        let isDone = old.machine.state == .succeeded || old.machine.state == .cached
        return old.isKnown && isSame && isDone ? .again : .accepted
    }

    private mutating func claim(_ worker: Int) -> ModelAnswer {
        guard let urgent = urgent() else { return .nothing }
        lastToken += 1
        var job = urgent
        if AgingPolicy.prefersOverdue(token: lastToken) {
            let limit = now - AgingPolicy.overdueSeconds
            job = next(before: limit, { $0.runAt < $1.runAt }) ?? urgent
        }
        _ = jobs[job].machine.apply(.claimed)
        jobs[job].token = lastToken
        jobs[job].worker = worker
        jobs[job].work = -1
        jobs[job].leaseUntil = now + Self.leaseSeconds
        return .claimed(hold(ModelLease(job: job, token: lastToken, worker: worker)))
    }

    /// What the worker held before becomes one of the late leases.
    private mutating func hold(_ lease: ModelLease) -> ModelLease {
        slots[nextLate] = slots[lease.worker]
        nextLate = nextLate + 1 == ModelStep.slots ? ModelStep.workers : nextLate + 1
        slots[lease.worker] = lease
        return lease
    }

    /// Of one priority, retries go by their time; against what was never tried, by their acceptance.
    private func urgent() -> Int? {
        let queued = next(before: .infinity, among: [.queued]) { $0.priority > $1.priority }
        let due = next(before: now, among: [.scheduled]) { job, other in
            (job.priority, -job.runAt) > (other.priority, -other.runAt)
        }
        guard let queued, let due else { return queued ?? due }
        let (first, second) = (jobs[queued], jobs[due])
        return (first.priority, -first.sequence) > (second.priority, -second.sequence)
            ? queued : due
    }

    private func next(
        before limit: Double, among states: Set<JobState> = [.queued, .scheduled],
        _ isBefore: (Job, Job) -> Bool
    ) -> Int? {
        var best: Int?
        for index in 0..<ModelStep.jobs
        where mayStart(index) && jobs[index].runAt <= limit
            && states.contains(jobs[index].machine.state)
        {
            guard let present = best else {
                best = index
                continue
            }
            let (job, other) = (jobs[index], jobs[present])
            let isEarlier = job.sequence < other.sequence && !isBefore(other, job)
            if isBefore(job, other) || isEarlier { best = index }
        }
        return best
    }

    /// Whether it waits, and for no other's work.
    private func mayStart(_ index: Int) -> Bool {
        let job = jobs[index]
        guard job.isWaiting, job.work >= 0 else { return job.isWaiting }
        return !jobs.contains { $0.isRunning && $0.work == job.work }
    }

    private mutating func renew(_ slot: Int) -> ModelAnswer {
        guard let lease = slots[slot], stands(lease) else { return .renewed(.lost) }
        jobs[lease.job].leaseUntil = now + Self.leaseSeconds
        return .renewed(jobs[lease.job].machine.isCancelRequested ? .cancelRequested : .kept)
    }

    private mutating func begin(_ slot: Int, _ work: Int) -> ModelAnswer {
        guard let lease = slots[slot], stands(lease) else { return .leaseLost }
        for index in 0..<ModelStep.jobs where index != lease.job {
            if jobs[index].isRunning, jobs[index].work == work { return .busy(job: index) }
        }
        jobs[lease.job].work = work
        return .admitted
    }

    private mutating func finish(_ slot: Int, _ ending: ModelEnding) -> ModelAnswer {
        guard let lease = slots[slot], stands(lease) else { return .ended(nil) }
        let isDelayed = ending == .delayed
        end(lease.job, ending.event, delaySeconds: isDelayed ? ModelEnding.delaySeconds : 0)
        return .ended(jobs[lease.job].machine.state)
    }

    private mutating func end(
        _ job: Int, _ event: JobStateMachine.Event, delaySeconds: Double
    ) {
        var delay = delaySeconds
        if case .retry(let attempt) = jobs[job].machine.apply(event) {
            delay = policy.delay(attempt: attempt, random: random.share())
        }
        if jobs[job].machine.state.isTerminal {
            jobs[job].finishedAt = now
        } else {
            jobs[job].runAt = now + delay
        }
    }

    private mutating func rescue(_ dead: Int?) -> ModelAnswer {
        var rescued: [Int] = []
        for index in 0..<ModelStep.jobs where jobs[index].isRunning {
            guard jobs[index].leaseUntil <= now || jobs[index].worker == dead else { continue }
            end(index, .leaseLost, delaySeconds: 0)
            rescued.append(index)
        }
        return .rescued(rescued)
    }

    private mutating func ask(
        _ job: Int, _ event: JobStateMachine.Event
    ) -> JobStateMachine.Action? {
        guard jobs[job].isKnown else { return nil }
        let action = jobs[job].machine.apply(event)
        if action == .requeue { jobs[job].runAt = now }
        if action == .giveUp { jobs[job].finishedAt = now }
        return action
    }

    private mutating func prune(_ seconds: Double) -> Int {
        var count = 0
        for index in 0..<ModelStep.jobs where jobs[index].isKnown {
            guard jobs[index].machine.state.isTerminal else { continue }
            guard jobs[index].finishedAt <= now - seconds else { continue }
            jobs[index] = Job()
            count += 1
        }
        return count
    }
}
